import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { BenchDatabase } from './bench-database';
import { Contestant } from './contestant';
import { createTables } from './bench-directory';

/**
 * How many ends a second one process carries out, and how long an account waits whose end passes a second after them,
 * on the server that DATABASE_URL names:
 *
 *     DATABASE_URL=postgres://... node -r @swc-node/register bench/ends.bench.ts
 */
const CASES = [
  { users: 1_000, workspaces: 100, groups: 0 },
  { users: 300, workspaces: 1, groups: 1_000 },
  { users: 50_000, workspaces: 1, groups: 0 },
] as const;

/** The time to write all ends, before the first one passes. */
const AHEAD_SECONDS = 20;
const POLL_MS = 20;

async function measure(server: string, { users, workspaces, groups }: (typeof CASES)[number]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const database = await BenchDatabase.create(server, (created) => fill(created, users, workspaces, groups));
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const environment = { DATABASE_URL: database.url, JWT_SECRET: randomBytes(32).toString('hex') };
  const service = await Contestant.start('service', ['dist/main.js'], environment, join(folder, 'service.log'));
  try {
    const [{ first }] = (
      await client.query<{ first: number }>(`SELECT extract(epoch FROM now())::integer + ${AHEAD_SECONDS} AS first`)
    ).rows as [{ first: number }];
    for (const table of ['workspace_memberships', 'group_memberships'])
      await client.query(`UPDATE ${table} SET ends_at = to_timestamp($1)`, [first]);
    await client.query(`UPDATE users SET active_until = to_timestamp($1) WHERE id = 'behind'`, [first + 1]);
    const seconds = async (condition: string): Promise<number> => {
      for (;;) {
        const [{ now, is }] = (
          await client.query<{ now: number; is: boolean }>(
            `SELECT extract(epoch FROM clock_timestamp())::float AS now, ${condition} AS is`,
          )
        ).rows as [{ now: number; is: boolean }];
        if (is) return now - first;
        await delay(POLL_MS);
      }
    };
    const account = await seconds(`EXISTS (SELECT FROM users WHERE id = 'behind' AND status = 'inactive')`);
    const all = await seconds('NOT EXISTS (SELECT FROM workspace_memberships)');
    const ends = users * (workspaces + groups);
    return (
      `${users} users with ${workspaces} workspaces and ${groups} groups each: ${ends} ends in ${all.toFixed(1)} s ` +
      `after they passed, ${Math.round(ends / all)} a second; the account after ${(account - 1).toFixed(1)} s`
    );
  } finally {
    await service.stop();
    await client.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(database: BenchDatabase, users: number, workspaces: number, groups: number): Promise<void> {
  await createTables(database);
  await database.execute([
    `INSERT INTO permissions (id, grants) VALUES ('reading', 'member'), ('users.administer', 'administrator')`,
    `INSERT INTO users (id, type) SELECT 'user-' || n, 'member' FROM generate_series(1, ${users}) AS n`,
    `INSERT INTO users (id, type) VALUES ('admin', 'administrator'), ('behind', 'guest')`,
    `INSERT INTO user_permissions SELECT u.key, p.key FROM users AS u, permissions AS p
     WHERE u.id = 'admin' AND p.id = 'users.administer'`,
    `INSERT INTO workspaces (id, name) SELECT 'workspace-' || n, 'W' FROM generate_series(1, ${workspaces}) AS n`,
    `INSERT INTO workspace_permissions SELECT w.key, p.key FROM workspaces AS w, permissions AS p WHERE p.id = 'reading'`,
    `INSERT INTO groups (id, name, workspace_key) SELECT w.id || '-' || n, 'G', w.key
     FROM workspaces AS w, generate_series(1, ${groups}) AS n`,
    `INSERT INTO workspace_memberships (user_key, workspace_key) SELECT u.key, w.key FROM users AS u, workspaces AS w
     WHERE u.id LIKE 'user-%'`,
    `INSERT INTO group_memberships (user_key, workspace_key, group_key) SELECT u.key, g.workspace_key, g.key
     FROM users AS u, groups AS g WHERE u.id LIKE 'user-%'`,
  ]);
}

async function main(server: string): Promise<void> {
  for (const one of CASES) process.stdout.write(`${await measure(server, one)}\n`);
}

const { DATABASE_URL } = process.env;
if (DATABASE_URL) void main(DATABASE_URL);
else process.stderr.write('Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n');
