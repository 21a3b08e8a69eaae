// The build, which needs no compiler: a process of the sources takes twice the time.
const { createDataSource } = require('../../dist/database/data-source.js');
const { PLUGINS } = require('../../dist/installed-plugins.js');
const { Statements } = require('@user-administration/postgres');
const { Transactions } = require('../../dist/database/transactions.js');
const { Journal } = require('../../dist/journal/journal.js');
const { DeliveryQueue } = require('../../dist/plugins/webhooks/delivery-queue.js');
const { DeliveryWorker } = require('../../dist/plugins/webhooks/delivery-worker.js');
const { Destinations } = require('../../dist/plugins/webhooks/destinations.js');
const { WebhookSender } = require('../../dist/plugins/webhooks/webhook-sender.js');

/** A process that does nothing but deliver, until it is killed. Its database and its policy stand on the command line. */
async function main() {
  const [url, policyAsJson] = process.argv.slice(2);
  const policy = JSON.parse(policyAsJson);
  const dataSource = await createDataSource({ url, poolSize: 2 }, PLUGINS).initialize();
  const transactions = new Transactions(dataSource, new Statements(dataSource));
  const worker = new DeliveryWorker({
    transactions,
    ready: () => Promise.resolve(),
    queue: new DeliveryQueue(transactions, new Journal()),
    sender: new WebhookSender(new Destinations(true), policy.timeoutMs),
    policy,
  });
  worker.onApplicationBootstrap();
  process.stdout.write('delivering\n');
}

void main();
