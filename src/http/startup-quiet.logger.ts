import { Injectable } from '@nestjs/common';
import { Logger } from 'nestjs-pino';

/** What Nest tells of each module and route while it starts: of use to whoever debugs the start, and to nobody else. */
const STARTUP_CONTEXTS = new Set<unknown>(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** The log of the service, with Nest's start-up lines at `debug`. */
@Injectable()
export class StartupQuietLogger extends Logger {
  override log(message: unknown, ...optionalParams: unknown[]): void {
    if (STARTUP_CONTEXTS.has(optionalParams.at(-1))) super.debug(message, ...optionalParams);
    else super.log(message, ...optionalParams);
  }
}
