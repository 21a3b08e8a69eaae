import 'reflect-metadata';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { importDirectory } from '../../src/directory-transfer/import-directory';
import { UserTypeRule } from '../../src/users/user-type.rule';
import { UserTypeService } from '../../src/users/user-type.service';
import { BenchDatabase } from './bench-database';

/**
 * Measures how long an import takes, on the server that DATABASE_URL names, into an empty database and once more:
 *
 * @example DATABASE_URL=postgres://... node -r @swc-node/register test/bench/import.bench.ts [users] [groups]
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

async function main(server: string, users = 100_000, groups = 10_000): Promise<void> {
  const database = await BenchDatabase.create(server, async () => undefined);
  const dataSource = createDataSource({ url: database.url, poolSize: 1 });
  await dataSource.initialize();
  try {
    await migrate(dataSource);
    for (const turn of ['first', 'again']) {
      const began = performance.now();
      let phase = '';
      const actor = { actor: { kind: 'system', id: 'import.bench' } } as const;
      await importDirectory(dataSource, linesOf(users, groups), actor, {
        userTypes: new UserTypeService(new UserTypeRule()),
        onProgress: (report) => {
          if (report.phase === phase) return;
          phase = report.phase;
          process.stdout.write(`${turn}: ${phase} after ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
        },
      });
      process.stdout.write(
        `${turn}: ${users} users in ${groups} groups in ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
      );
    }
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
}

const { DATABASE_URL } = process.env;
const [users, groups] = process.argv.slice(2).map(Number);
if (DATABASE_URL) void main(DATABASE_URL, users, groups);
else process.stderr.write('Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n');
