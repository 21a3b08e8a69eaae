import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** The contexts of Nest's lines about modules and routes, which help only to debug the start. */
const STARTUP = ['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication'];

/** The context of errors that Nest also throws. The catcher reports them together with what to do. */
const THROWN = ['ExceptionHandler', 'NestApplication'];

/**
 * Passes the log lines of Nest, and of every `Logger` of this service, to pino. Nest passes the context of a line as
 * the last argument.
 *
 * nestjs-pino is not used: it finds the id of a request with an AsyncLocalStorage, which takes a tenth of the time of a
 * request on Node 20 and 22. The lines of this service name the id explicitly.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(comesFrom(THROWN, rest) ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(comesFrom(STARTUP, rest) ? 'debug' : 'info', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** The first of `rest` is a message after fields, and a stack after a message. */
  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const second = rest.length > 1 && typeof rest[0] === 'string' ? rest[0] : undefined;
    if (message instanceof Error) this.logger[level]({ context, err: message }, second);
    else if (typeof message === 'object') this.logger[level]({ context, ...message }, second);
    else this.logger[level]({ context, stack: second }, String(message));
  }
}

function comesFrom(contexts: readonly string[], rest: readonly unknown[]): boolean {
  const context = rest.at(-1);
  return typeof context === 'string' && contexts.includes(context);
}
