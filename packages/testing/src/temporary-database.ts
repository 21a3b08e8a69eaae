import { randomBytes } from 'node:crypto';
import type { OpenedDatabase } from '@user-administration/postgres';
import { openEmbeddedDatabase } from '@user-administration/pglite-server';
import { withClient } from './with-client';

const SERVER_POOL_SIZE = 10;

/** A database embedded in this process, in memory: empty, or from the snapshot. */
export async function openInMemory(snapshot?: Blob): Promise<OpenedDatabase> {
  const { url, close } = await openEmbeddedDatabase({ inMemory: true, snapshot });
  return { url, poolSize: 1, embedded: true, close };
}

/** A new database on a server, empty or a copy of the template. Closing it drops it. */
export async function createOnServer(server: string, template?: string): Promise<OpenedDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    poolSize: SERVER_POOL_SIZE,
    embedded: false,
    close: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function execute(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement));
}
