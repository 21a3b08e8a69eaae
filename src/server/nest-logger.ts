import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** Where Nest's lines about each module and route come from, which are of use only for debugging the start. */
const STARTUP = ['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication'];

/** What Nest reports from here it throws as well, and who catches it reports it with what to do. */
const THROWN = ['ExceptionHandler', 'NestApplication'];

/**
 * Hands the log lines of Nest, and of every `Logger` of this service, to pino. Nest passes the context of the line last.
 *
 * Not nestjs-pino: it finds the id of a request by an AsyncLocalStorage, which takes a tenth of the time of a request on Node 20 and
 * 22. The lines of this service name the id themselves.
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

  /** The first of `rest` is a sentence after fields, and a stack after a sentence. */
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
