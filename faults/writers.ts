import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { call, type Reply } from './call';
import type { FaultyService } from './service-process';
import type { Trial } from './trial';
import { until } from './until';

/** What each write does: both users into both workspaces and both groups, which makes managers of guests. */
const PLACES = { workspaces: ['w1', 'w2'], groups: ['g1', 'g2'] };

/** Fills an empty directory with places, and with pairs of users who are in none of them. */
export async function fillDirectory(databaseUrl: string, pairs: number): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(`
    INSERT INTO permissions (id, grants) VALUES ('managing', 'manager');
    INSERT INTO workspaces (id, name) VALUES ('w1', 'w1'), ('w2', 'w2');
    INSERT INTO groups (id, name, workspace_key) SELECT replace(id, 'w', 'g'), 'g', key FROM workspaces;
    INSERT INTO workspace_permissions (workspace_key, permission_key)
      SELECT workspaces.key, permissions.key FROM workspaces, permissions WHERE workspaces.id = 'w1' AND permissions.id = 'managing';
    INSERT INTO users (id) SELECT n || side FROM generate_series(0, ${pairs - 1}) AS n, (VALUES ('a'), ('b')) AS s (side)`);
  await client.end();
}

/** Callers that assign one pair of users after the other, and send again what was not acknowledged. */
export class Writers {
  readonly acknowledged = new Set<number>();
  readonly replies: (Reply & { at: number })[] = [];
  /** Connections that broke, or answers that did not come. */
  readonly broken: { code: string; at: number }[] = [];
  private readonly token: string;
  private next = 0;
  private stopping = false;
  private readonly work: Promise<void>[];

  constructor(
    private readonly service: FaultyService,
    count: number,
    private readonly pairs: number,
    private readonly pauseMs = 0,
    private readonly agent = new Agent({ keepAlive: true }),
  ) {
    this.token = service.token;
    this.work = Array.from({ length: count }, () => this.write());
  }

  /** Waits for the answers that are under way. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.work);
    this.agent.destroy();
  }

  /** Resolves with the moment of the next success. */
  async nextSuccess(): Promise<number> {
    const known = this.acknowledged.size;
    await until('a success', () => this.acknowledged.size > known, { pauseMs: 5 });
    return performance.now();
  }

  private async write(): Promise<void> {
    while (!this.stopping && this.next < this.pairs) {
      const pair = this.next++;
      while (!(await this.assign(pair)) && !this.stopping) await delay(20);
      if (this.pauseMs > 0) await delay(this.pauseMs);
    }
  }

  private async assign(pair: number): Promise<boolean> {
    const body = JSON.stringify({ userIds: [`${pair}a`, `${pair}b`], ...PLACES });
    try {
      const reply = await call(`${this.service.url}/api/users/workspace-assign`, {
        body,
        token: this.token,
        agent: this.agent,
      });
      this.replies.push({ ...reply, at: performance.now() });
      if (reply.status === 200) this.acknowledged.add(pair);
      return reply.status === 200;
    } catch (error) {
      this.broken.push({ code: (error as NodeJS.ErrnoException).code ?? String(error), at: performance.now() });
      return false;
    }
  }
}

/** Whether a reply says that nobody knows whether the change was made. It has no `Retry-After`. */
export function isAnUnknownOutcome({ status, text }: Reply): boolean {
  return status === 503 && text.includes('It is not known whether the change was made.');
}

/** Compares what the database holds with what was acknowledged. */
export async function audit(
  databaseUrl: string,
  acknowledged: ReadonlySet<number>,
): Promise<{ lost: number; torn: number }> {
  const client = new Client(databaseUrl);
  await client.connect();
  for (let more = true; more;)
    [{ more }] = (await client.query('SELECT more FROM seal_journal(true, NULL)')).rows as [{ more: boolean }];
  const { rows } = await client.query<{
    pair: number;
    workspaces: number;
    groups: number;
    managers: number;
    told: number;
  }>(`
    WITH in_workspaces AS (SELECT user_key AS key, count(*) FROM workspace_memberships GROUP BY 1),
      in_groups AS (SELECT user_key AS key, count(*) FROM group_memberships GROUP BY 1),
      entries AS (SELECT user_id AS id, count(*) FROM journal_entries GROUP BY 1)
    SELECT rtrim(id, 'ab')::int AS pair,
      coalesce(sum(in_workspaces.count), 0)::int AS workspaces,
      coalesce(sum(in_groups.count), 0)::int AS groups,
      sum((type = 'manager')::int)::int AS managers,
      coalesce(sum(entries.count), 0)::int AS told
    FROM users LEFT JOIN in_workspaces USING (key) LEFT JOIN in_groups USING (key) LEFT JOIN entries USING (id)
    WHERE id ~ '^[0-9]+[ab]$' GROUP BY 1`);
  await client.end();
  const written = ({ workspaces, groups, managers, told }: (typeof rows)[number]) =>
    `${workspaces} ${groups} ${managers} ${told}`;
  const whole = new Set(rows.filter((row) => written(row) === '4 4 2 4').map(({ pair }) => pair));
  const torn = rows.filter((row) => !['4 4 2 4', '0 0 0 0'].includes(written(row)));
  return { lost: [...acknowledged].filter((pair) => !whole.has(pair)).length, torn: torn.length };
}

/** What holds in any fault: the database holds every write that was acknowledged, and no part of one. */
export async function judgeStored(trial: Trial, databaseUrl: string, { acknowledged }: Writers): Promise<void> {
  const { lost, torn } = await audit(databaseUrl, acknowledged);
  trial.expect('acknowledged writes lost', lost === 0, `${lost} of ${acknowledged.size}`);
  trial.expect('writes torn', torn === 0, torn);
}

/** How many replies there were of each status, for people. */
export function tally(replies: readonly { status: number }[]): string {
  const counts = new Map<number, number>();
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
  return (
    [...counts]
      .sort()
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ') || 'none'
  );
}

/** The value that this share of the numbers does not exceed. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
