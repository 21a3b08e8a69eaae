import type { Logger } from 'pino';

/** Logs what Node itself would write as plain text: warnings, and errors that nothing caught. The latter end the process, as before. */
export function logProcessEvents(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) => logger.warn({ warning: name, stack }, message));
  process.on('uncaughtException', (error: unknown) => {
    logger.fatal({ stack: error instanceof Error ? error.stack : String(error) }, 'an error was not caught');
    process.exit(1);
  });
}
