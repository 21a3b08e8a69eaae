import { Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import pino, { type Logger } from 'pino';
import { CONFIG, type Config } from '../config/config';
import { StartupQuietLogger } from './startup-quiet.logger';

/** The injection token of the log that each request's log is a child of. */
export const REQUEST_LOGGER = Symbol('REQUEST_LOGGER');

/** JSON lines, readable on a terminal in development. */
function createLogger(config: Config): Logger {
  return pino({
    level: config.logLevel,
    base: { pid: process.pid },
    ...(!config.production && process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  });
}

@Module({
  providers: [{ provide: REQUEST_LOGGER, inject: [CONFIG], useFactory: createLogger }],
  exports: [REQUEST_LOGGER],
})
class RequestLoggerModule {}

/**
 * The log of the service. What is logged of a request names its id in so many words ({@link logRequests}): nestjs-pino would find
 * it by an AsyncLocalStorage, which on Node 20 and 22 has every promise of the process watched, at the cost of a tenth of a
 * request. So its middleware is applied to no route.
 */
@Module({
  imports: [
    LoggerModule.forRootAsync({
      imports: [RequestLoggerModule],
      providers: [],
      inject: [REQUEST_LOGGER],
      useFactory: (logger: Logger) => ({ useExisting: true as const, pinoHttp: { logger }, forRoutes: [] }),
    }),
  ],
  providers: [StartupQuietLogger],
  exports: [StartupQuietLogger],
})
export class LoggingModule {}
