import './supported-node';
import { pino } from 'pino';
import { configWarnings } from './config/config-warnings';
import { loadConfig } from './load-config';
import { isProduction } from './config/production';
import { explain } from './explain-start';
import type * as Service from './serve';
import { createLogger, logProcessEvents } from '@user-administration/http/log';

async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config);
  if (config.production) logProcessEvents(logger);
  for (const warning of configWarnings(config)) logger.warn(warning);
  await load().serve(config);
}

/** Loaded lazily, so that a wrong configuration is reported at once. */
function load(): typeof Service {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need the extension of the build.
  return require('./serve') as typeof Service;
}

main().catch((error: unknown) => {
  const text = explain(error);
  if (isProduction()) pino({ base: { pid: process.pid } }, pino.destination(2)).fatal(text);
  else process.stderr.write(`${text}\n`);
  process.exit(1);
});
