import { type DynamicModule, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import pino, { type Logger } from 'pino';
import type { Config } from '../config/config';

/** JSON lines, readable on a terminal in development. Made before the app is, so that a start that fails is logged no other way. */
export function createLogger(config: Config): Logger {
  return pino({
    level: config.logLevel,
    base: { pid: process.pid },
    ...(!config.production && process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  });
}

/**
 * The log of the service. Lines about a request are written to the request's own log ({@link logRequests}), which bears its id.
 *
 * nestjs-pino would find that log by an AsyncLocalStorage: on Node 20 and 22 that has every promise of the process watched, at
 * the cost of a tenth of a request. So its middleware is applied to no route.
 */
@Module({})
export class LoggingModule {
  static register(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      imports: [LoggerModule.forRoot({ useExisting: true, pinoHttp: { logger }, forRoutes: [] })],
    };
  }
}
