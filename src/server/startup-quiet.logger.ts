import { Logger, PinoLogger } from 'nestjs-pino';
import type { Logger as PlainLogger } from 'pino';

/** What Nest tells of each module and route while it starts: of use to whoever debugs the start, and to nobody else. */
const STARTUP_CONTEXTS = new Set<unknown>(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Whatever Nest tells of a failure here it throws as well: whoever catches it says what to do about it. */
const THROWN_CONTEXTS = new Set<unknown>(['ExceptionHandler', 'NestApplication']);

/** The log of the service, with Nest's start-up lines, and the failures that are told elsewhere, at `debug`. */
export class StartupQuietLogger extends Logger {
  static on(logger: PlainLogger): StartupQuietLogger {
    const params = { pinoHttp: { logger } };
    return new StartupQuietLogger(new PinoLogger(params), params);
  }

  override log(message: unknown, ...optionalParams: unknown[]): void {
    if (STARTUP_CONTEXTS.has(optionalParams.at(-1))) super.debug(message, ...optionalParams);
    else super.log(message, ...optionalParams);
  }

  override error(message: unknown, ...optionalParams: unknown[]): void {
    if (THROWN_CONTEXTS.has(optionalParams.at(-1))) super.debug(message, ...optionalParams);
    else super.error(message, ...optionalParams);
  }
}
