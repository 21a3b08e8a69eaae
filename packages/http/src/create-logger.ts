import pino, { type Logger } from 'pino';
import { standardOutput } from './standard-output';

/**
 * Creates the log of a process: JSON lines, on a terminal in development one readable line for each. It exists before
 * the app, so that a failing start is logged.
 */
export function createLogger(config: { readonly production: boolean; readonly logLevel: string }): Logger {
  const options = { level: config.logLevel, base: { pid: process.pid } };
  return !config.production && process.stdout.isTTY
    ? pino({ ...options, transport: { target: 'pino-pretty', options: { singleLine: true } } })
    : pino(options, standardOutput);
}
