import pino, { type Logger } from 'pino';
import type { Config } from '../config/config';

/** The log of the service: JSON lines, readable on a terminal in development. It is made before the app, so that a failing start is logged, too. */
export function createLogger(config: Config): Logger {
  return pino({
    level: config.logLevel,
    base: { pid: process.pid },
    ...(!config.production && process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  });
}
