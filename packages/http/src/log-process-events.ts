import type { Logger } from 'pino';

/**
 * Logs warnings and uncaught errors, which Node would otherwise print as plain text. Uncaught errors still end the
 * process.
 */
export function logProcessEvents(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, stack }) => logger.warn({ warning: name, stack }, message));
  process.on('uncaughtException', (error: unknown) => {
    logger.fatal({ stack: error instanceof Error ? error.stack : String(error) }, 'an error was not caught');
    process.exit(1);
  });
}
