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
 * The log of the service. What is logged of a request names its id in so many words ({@link logRequests}): nestjs-pino would find
 * it by an AsyncLocalStorage, which on Node 20 and 22 has every promise of the process watched, at the cost of a tenth of a
 * request. So its middleware is applied to no route.
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
