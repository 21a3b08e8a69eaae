import { createDataSource } from '../../src/database/data-source';
import { Destinations } from '../../src/webhooks/destinations';
import { EAGER, workerOn } from './webhook-trial';

/** A process that does nothing but deliver, until it is killed. Its database and its lease stand on the command line. */
async function main(): Promise<void> {
  const [url = '', leaseMs = ''] = process.argv.slice(2);
  const dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
  const worker = workerOn(dataSource, { ...EAGER, leaseMs: Number(leaseMs) }, new Destinations(true));
  worker.onApplicationBootstrap();
  process.stdout.write('delivering\n');
}

void main();
