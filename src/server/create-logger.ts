import pino, { type Logger } from 'pino';
import type { Config } from '../config/config';

/**
 * Creates the log of the service: JSON lines, formatted for reading on a terminal in development. It exists before the
 * app, so that a failing start is logged.
 */
export function createLogger(config: Config): Logger {
  return pino({
    level: config.logLevel,
    base: { pid: process.pid },
    ...(!config.production && process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  });
}
