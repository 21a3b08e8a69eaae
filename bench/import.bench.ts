import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource, migrate } from '../test/support/whole-schema';
import { openEmbeddedDatabase } from '@user-administration/pglite-server';
import { importDirectory } from '../src/plugins/transfer/import-directory';
import { UserTypeRule } from '../src/users/user-type/user-type-rule';
import { UserTypeService } from '../src/users/user-type/user-type.service';
import { BenchDatabase } from './bench-database';

/**
 * Measures how long an import takes, into an empty database and once more: on the server that DATABASE_URL names, or
 * embedded in this process.
 *
 * @example DATABASE_URL=postgres://... node -r @swc-node/register bench/import.bench.ts [users] [groups]
 */
const GROUPS_PER_WORKSPACE = 10;

function* linesOf(users: number, groups: number): Generator<string> {
  yield JSON.stringify({ permission: { id: 'reading', grants: 'member' } });
  yield JSON.stringify({ permission: { id: 'managing', grants: 'manager' } });
  for (let w = 0; w * GROUPS_PER_WORKSPACE < groups; w++)
    yield JSON.stringify({ workspace: { id: `workspace-${w}`, name: `Workspace ${w}`, permissions: ['reading'] } });
  for (let g = 0; g < groups; g++) {
    const workspace = `workspace-${Math.floor(g / GROUPS_PER_WORKSPACE)}`;
    yield JSON.stringify({ group: { id: `group-${g}`, name: `Group ${g}`, workspace, permissions: ['managing'] } });
  }
  for (let u = 0; u < users; u++) {
    const workspaces = [`workspace-${Math.floor((u % groups) / GROUPS_PER_WORKSPACE)}`];
    yield JSON.stringify({ user: { id: `user-${u}`, email: `user-${u}@example.com`, workspaces, groups: [`group-${u % groups}`] } }); // prettier-ignore
  }
}

async function main(users = 100_000, groups = 10_000): Promise<void> {
  const database = await openDatabase(process.env.DATABASE_URL);
  const dataSource = createDataSource({ url: database.url, poolSize: 1 });
  await dataSource.initialize();
  try {
    await migrate(dataSource);
    for (const attempt of ['first', 'again']) {
      const began = performance.now();
      const cpuBefore = process.cpuUsage();
      const told = (): string => {
        const { user, system } = process.cpuUsage(cpuBefore);
        const wall = (performance.now() - began) / 1_000;
        return `${wall.toFixed(1)} s (CPU time of this process ${((user + system) / 1_000_000).toFixed(1)} s)`;
      };
      let phase = '';
      const actor = { actor: { kind: 'system', id: 'import.bench' } } as const;
      await importDirectory(dataSource, linesOf(users, groups), actor, {
        userTypes: new UserTypeService(new UserTypeRule()),
        onProgress: (report) => {
          if (report.phase === phase) return;
          phase = report.phase;
          process.stdout.write(`${attempt}: ${phase} after ${told()}\n`);
        },
      });
      process.stdout.write(`${attempt}: ${users} users in ${groups} groups in ${told()}\n`);
    }
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
}

async function openDatabase(server: string | undefined): Promise<{ url: string; drop(): Promise<void> }> {
  if (server) return BenchDatabase.create(server, async () => undefined);
  const dataDir = mkdtempSync(join(tmpdir(), 'import-bench-'));
  const embedded = await openEmbeddedDatabase({ dataDir });
  return {
    url: embedded.url,
    drop: async () => {
      await embedded.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const [users, groups] = process.argv.slice(2).map(Number);
void main(users, groups);
