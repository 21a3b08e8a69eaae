import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { findEmbeddedDatabase } from '@user-administration/pglite-server';
import { Gate } from '../races/gate';
import { post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { handmade, inSeconds } from '../support/forged-tokens';
import { ServiceProcess } from '../support/service-process';
import { openTestDatabase } from '../support/test-database';
import { spawnService } from './failed-start';

const ASK_AGAIN_MS = 5;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'stopping-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A client of the embedded database that a process is opening. */
async function connect(): Promise<Client> {
  let url: string | undefined;
  while ((url = await findEmbeddedDatabase(folder)) === undefined) await delay(ASK_AGAIN_MS);
  const client = new Client(url);
  await client.connect();
  return client;
}

it('a service that is stopped while it loads the demo directory ends without an error', async () => {
  // An import writes its input into a temporary folder first.
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  let loads = false;
  const watcher = watch(temporary, () => (loads = true));
  const child = spawnService({ SHUTDOWN_DRAIN_MS: '0', DATA_DIR: folder, TMPDIR: temporary });
  try {
    const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    const client = await connect();
    // The clients of the one session take turns, so the start gets no further than one statement in each round.
    for (await client.query('BEGIN'); !loads; await client.query('BEGIN')) await client.query('ROLLBACK');
    child.kill('SIGTERM');
    await client.query('ROLLBACK');
    await client.end();
    expect(await ended).toEqual([[0, null], '', '']);
  } finally {
    watcher.close();
    child.kill('SIGKILL');
  }
});

it('a service that receives the signal twice, as from npm in a terminal, still answers the requests in progress', async () => {
  const child = spawnService({ DATA_DIR: folder, SHUTDOWN_DRAIN_MS: '0' });
  try {
    const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
    await once(child.stdout, 'data');
    // Two names, because the system delivers two pending signals of one name as one.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await ended).toEqual([[0, null], '']);
  } finally {
    child.kill('SIGKILL');
  }
});

describeOnServer('a service that is stopped while a request waits for a lock', () => {
  it('ends without its answer, and reports that', async () => {
    const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';
    const database = await openTestDatabase();
    const service = await ServiceProcess.start({ DATABASE_URL: database.url, JWT_SECRET });
    await service.until(200, '/health/ready');
    const gate = await Gate.close(database.url, 'LOCK TABLE workspaces IN ACCESS EXCLUSIVE MODE', []);
    try {
      const authorization = `Bearer ${handmade(JWT_SECRET, { sub: 'robot', scope: 'users:administer', exp: inSeconds(300) })}`;
      const cut = expect(post(`${service.url}/api/workspaces`, { name: 'Atlas' }, { authorization })).rejects.toThrow();
      await gate.waitFor(1);
      expect(await service.stop()).toBe(1);
      await cut;
    } finally {
      await gate.open();
      await database.close();
    }
  });
});
