// Prints the files and functions of this project that run for one assignment: `npm run way`.
//
// It starts the built service in this process, with the embedded database, and sends assignments one after the other under V8's precise
// coverage: from right before the request until its answer is handed to the connection. What ran in all of them belongs to an assignment; what
// ran in some is a timer or a cache. The embedded database is a package of its own, and not counted.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** The builds of the service and of its packages, and what a file of each is called. */
const BUILT = [
  [/^dist\//, ''],
  // Its index passes names on, and does nothing.
  [/^packages\/(access-tokens|http|postgres)\/dist\/(?!index\.js$)/, 'packages/$1/src/'],
];
/** Of the demo directory: each changes something. The first one fills caches. */
const ASSIGNMENTS = [
  ['ben', 'cosmos'],
  ['cyd', 'cosmos'],
  ['dee', 'cosmos'],
  ['eve', 'cosmos'],
];

const load = createRequire(import.meta.url);
load('reflect-metadata');
const { createApp } = load('../dist/app');
const { signAccessToken } = load('@user-administration/access-tokens/keys');
const { loadConfig } = load('../dist/load-config');
const { DatabaseStartup } = load('../dist/database/database-startup');
const { prepareEmbeddedDirectory } = load('../dist/plugins/transfer/first-run');
const { PLUGINS } = load('../dist/installed-plugins');
const { DeliveryWorker } = load('../dist/plugins/webhooks/delivery-worker');
const { Sealer } = load('../dist/journal/sealer');

/** The functions of ours that have run, each as `file:function:offset`. */
function ran(coverage) {
  return coverage.flatMap(({ url, functions }) => {
    const built = relative(PROJECT, url.startsWith('file:') ? fileURLToPath(url) : url);
    const [folder, name] = BUILT.find(([pattern]) => pattern.test(built)) ?? [];
    if (folder === undefined) return [];
    const file = built.replace(folder, name).replace(/\.js$/, '.ts');
    return functions
      .filter(({ ranges: [whole] }) => whole.count > 0)
      .map(({ functionName, ranges: [whole] }) => `${file}:${functionName || 'anonymous'}:${whole.startOffset}`);
  });
}

async function assign(app, session, token, [user, workspace]) {
  const { port } = app.getHttpServer().address();
  const server = once(app.getHttpServer(), 'request').then(async ([, response]) => {
    const closed = once(response, 'close');
    // At once: the log line and the metrics, which follow the answer, are written in the same turn.
    const coverage = new Promise((resolve) => {
      response.prependOnceListener('finish', () => resolve(session.post('Profiler.takePreciseCoverage')));
    });
    await closed;
    return (await coverage).result;
  });
  // It also resets the counts.
  await session.post('Profiler.takePreciseCoverage');
  // The headers that the specification lists.
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };
  const sent = request({ port, method: 'POST', path: '/api/users/workspace-assign', headers });
  sent.end(JSON.stringify({ userIds: [user], workspaces: [workspace] }));
  const [response] = await once(sent, 'response');
  response.resume();
  if (response.statusCode !== 200) throw new Error(`the assignment was answered with ${response.statusCode}`);
  return new Set(ran(await server));
}

const folder = mkdtempSync(join(tmpdir(), 'way-of-an-assignment-'));
try {
  const config = loadConfig({
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    JWT_SECRET: 'a secret for the way of an assignment',
  });
  const app = await createApp(config);
  await app.get(DatabaseStartup).ready();
  await prepareEmbeddedDirectory(
    app,
    PLUGINS.flatMap((plugin) => plugin.app?.().demo ?? []),
  );
  // It looks for deliveries by its own clock: what it does belongs to no request.
  await app.get(DeliveryWorker).stop();
  await app.get(Sealer).beforeApplicationShutdown();
  await app.listen(0, '127.0.0.1');
  const token = signAccessToken(config.accessTokens, { sub: 'ada', expiresIn: 600 });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runs = [];
  for (const assignment of ASSIGNMENTS) runs.push(await assign(app, session, token, assignment));
  session.disconnect();
  await app.close();

  const [, first, ...others] = runs;
  const always = [...first].filter((one) => others.every((run) => run.has(one))).map((one) => one.split(':'));
  const files = grouped(always);
  for (const [file, functions] of [...files].sort())
    process.stdout.write(`${file} ${functions.map(([, name]) => name).join(' ')}\n`);
  process.stdout.write(`${files.size} files, ${always.length} functions\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function grouped(functions) {
  const files = new Map();
  for (const one of functions) files.set(one[0], [...(files.get(one[0]) ?? []), one]);
  return files;
}
