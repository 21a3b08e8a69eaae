import cluster from 'node:cluster';
import type { Config } from './config/config';
import { configWarnings } from './config/config-warnings';
import { loadConfig } from './config/load-config';
import { isProduction } from './config/production';
import { explain } from './contract/expected-error';
import { WorkersMetrics } from './health/workers-metrics';
import type * as Service from './serve';
import { createLogger } from './server/create-logger';
import { logLine } from './server/log-line';
import { logProcessEvents } from './server/log-process-events';
import { isSupervised, reportFailure } from './server/supervised-worker';
import { superviseWorkers } from './server/workers';

async function main(): Promise<void> {
  const config = loadConfig();
  if (config.production) logProcessEvents(createLogger(config));
  if (!isSupervised()) logWarnings(config);
  if (config.workers === 1 || cluster.isWorker) return load().serve(config);
  const metrics = new WorkersMetrics();
  process.exit(await superviseWorkers(config, (worker) => metrics.add(worker)));
}

/** Workers share one configuration, so only their supervisor logs the warnings. */
function logWarnings(config: Config): void {
  const warnings = configWarnings(config);
  // A worker cannot start workers of its own.
  if (cluster.isWorker && config.workers > 1) {
    warnings.push('WORKERS has no effect: another process manager runs this process as one of its workers.');
  }
  if (warnings.length === 0) return;
  const logger = createLogger(config);
  for (const warning of warnings) logger.warn(warning);
}

/** Loaded lazily, because the supervisor of workers serves nothing, and neither does a wrong configuration. */
function load(): typeof Service {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need the extension of the build.
  return require('./serve') as typeof Service;
}

main().catch(async (error: unknown) => {
  const text = explain(error);
  await reportFailure(isProduction() ? logLine('fatal', 'fatal', {}, text) : `${text}\n`);
  process.exit(1);
});
