import { pino } from 'pino';
import type { LogLevel } from '../config/load-config';

/**
 * One line in the format of the log, for another process to write. Empty if its level is not logged.
 *
 * @example logLine('info', 'fatal', {}, 'The service cannot listen.'); // {"level":60,"time":...,"pid":...,"msg":"The service cannot listen."}
 */
export function logLine(logged: LogLevel, level: 'info' | 'fatal', fields: object, message: string): string {
  let line = '';
  const logger = pino({ level: logged, base: { pid: process.pid } }, { write: (text) => (line = text) });
  logger[level](fields, message);
  return line;
}
