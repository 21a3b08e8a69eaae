import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { createBenchDirectory } from './bench-directory';
import { Contestant } from './contestant';

/**
 * How long the largest assignment takes that one request may ask for, 10,000 users to 100 places, on the server that DATABASE_URL names:
 *
 *     DATABASE_URL=postgres://... node -r @swc-node/register bench/largest-assignment.bench.ts
 */
const USERS = 100_000;
const WORKSPACES = 1_000;
const USERS_IN_REQUEST = 10_000;
/** Workspaces and groups. Each request takes other workspaces, so that all of its memberships are new. */
const PLACES: readonly (readonly [workspaces: number, groups: number])[] = [
  [100, 0],
  [50, 50],
  [10, 90],
];

function bodyOf(request: number, workspaces: number, groups: number): string {
  const first = 1 + request * 200;
  const numbers = Array.from({ length: workspaces }, (_, index) => first + index);
  return JSON.stringify({
    userIds: Array.from({ length: USERS_IN_REQUEST }, (_, index) => `user-${index * 10 + 1}`),
    workspaces: numbers.map((number) => `workspace-${number}`),
    groups: Array.from(
      { length: groups },
      (_, index) => `group-${numbers[index % workspaces]}-${Math.floor(index / workspaces) + 1}`,
    ),
  });
}

async function main(server: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const secret = randomBytes(32).toString('hex');
  const directory = await createBenchDirectory(server, WORKSPACES, USERS);
  const environment = { DATABASE_URL: directory.url, JWT_SECRET: secret };
  const service = await Contestant.start('service', ['dist/main.js'], environment, join(folder, 'service.log'));
  const token = signAccessToken({ key: { kind: 'secret', secret } }, { sub: 'admin-1', expiresIn: 3_600 });
  try {
    for (const [request, [workspaces, groups]] of PLACES.entries()) {
      const begin = performance.now();
      const answer = await fetch(`http://127.0.0.1:${service.port}/api/users/workspace-assign`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: bodyOf(request, workspaces, groups),
      });
      const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
      process.stdout.write(`${workspaces} workspaces, ${groups} groups: ${answer.status} after ${seconds} s\n`);
    }
  } finally {
    await service.stop();
    await directory.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { DATABASE_URL } = process.env;
if (DATABASE_URL) void main(DATABASE_URL);
else process.stderr.write('Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n');
