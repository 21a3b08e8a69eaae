import type { EntityManager } from 'typeorm';
import { ServiceError } from '../../contract/errors';
import type { Spared } from '../door';
import { ImportRefused, quote } from './import-error';
import { FILE_ERRORS } from './errors';

/**
 * The most users that an import may deactivate because its file does not name them, by the number of active users
 * before.
 */
export type AtMost = (activeUsers: number) => number;

/** Reads a number of users, or a percentage of the active users, rounded down. @returns undefined for other text */
export function readAtMost(text: string): AtMost | undefined {
  const [, number, fraction = '', sign] = /^(\d{1,9})(?:[.](\d{1,2})(?=%))?(%)?$/.exec(text) ?? [];
  // In hundredths of a percent, so that no fraction is rounded twice.
  const amount = sign ? Number(`${number}${fraction.padEnd(2, '0')}`) : Number(number);
  if (!number || (sign && amount > 10_000)) return undefined;
  return (activeUsers) => (sign ? Math.floor((activeUsers * amount) / 10_000) : amount);
}

/** A tenth of the active users. */
export const AT_MOST = '10%';

/** The options of an import that also deactivates the active users that its file does not name. */
export interface Sync {
  atMost: AtMost;
  /** Ids of users that stay active. */
  keep?: readonly string[] | undefined;
  /** By default, administrators stay active. */
  includeAdministrators?: boolean | undefined;
}

/** With those whom plugins spare. Whoever forgets them would deactivate the users of a connection. */
export interface SparingSync extends Sync {
  spares: readonly Spared[];
}

/** How many missing users were deactivated, and how many were left alone, by the first reason that holds. */
export interface MissingCounts {
  deactivated: number;
  /** Reasons of plugins, then `keep` and `administrator`. */
  spared: Record<string, number>;
}

/** The missing users of one import, in all attempts of its transaction. */
export class MissingUsers {
  /**
   * The keys that the first attempt found. A user that has received one of their ids since is another person, which
   * the file could not name.
   */
  private keys: string[] | null = null;
  private counts: MissingCounts;
  private readonly reasons: readonly string[];
  /** In SQL, null for a user that no reason spares. */
  private readonly reason: string;

  constructor(private readonly sync: SparingSync) {
    const { spares } = sync;
    this.reasons = [...spares.map(({ reason }) => reason), 'keep', 'administrator'];
    this.counts = { deactivated: 0, spared: Object.fromEntries(this.reasons.map((reason) => [reason, 0])) };
    const cases = spares.map(({ condition, reason }) => `WHEN ${condition} THEN '${reason}'`);
    this.reason = `CASE ${cases.join(' ')}
      WHEN users.id = ANY ($1::text[]) THEN 'keep'
      WHEN users.type = 'administrator' AND NOT $2::boolean THEN 'administrator'
    END`;
  }

  /**
   * Adds a line 0 for each missing user, with the status `inactive`. Call this when no other import runs, and before
   * the staged records are indexed.
   *
   * @throws ImportRefused if there are more than `atMost` permits, or `keep` names nobody
   */
  async stage(manager: EntityManager): Promise<void> {
    await this.requireKept(manager);
    type Found = { staged: number; active: number; spared: MissingCounts['spared'] };
    const [{ staged, active, spared }]: [Found] = await manager.query(
      `WITH missing AS MATERIALIZED (
         SELECT key, id, ${this.reason} AS reason FROM users
         WHERE status = 'active' AND NOT EXISTS (
           SELECT FROM staged_records AS named WHERE named.kind = 'user' AND named.id = users.id)
       ), staged AS (
         INSERT INTO staged_records (line, kind, id, record, user_key)
         SELECT 0, 'user', id, jsonb_build_object('id', id, 'status', 'inactive'), key FROM missing
         WHERE reason IS NULL AND ($3::bigint[] IS NULL OR key = ANY ($3))
         RETURNING 1
       )
       SELECT (SELECT count(*)::integer FROM staged) AS staged,
         (SELECT count(*)::integer FROM users WHERE status = 'active') AS active, ${this.spared('missing')}`,
      [...this.parameters, this.keys],
    );
    const most = this.sync.atMost(active);
    if (staged > most)
      throw new ImportRefused(
        `This would deactivate ${staged} of ${active} active users, because the file does not name them: more than ` +
          `${most}, which --at-most permits`,
        FILE_ERRORS.refusal('import.too_many_deactivations', { args: { count: staged } }),
      );
    this.counts = { deactivated: staged, spared };
    if (this.keys) return;
    const rows: { key: string }[] = await manager.query('SELECT user_key AS key FROM staged_records WHERE line = 0');
    this.keys = rows.map(({ key }) => key);
  }

  /**
   * Removes the lines of users that were deleted meanwhile, are inactive, or are spared. Call this when they are
   * locked.
   */
  async settle(manager: EntityManager): Promise<MissingCounts> {
    const [{ dropped, spared }]: [{ dropped: number; spared: MissingCounts['spared'] }] = await manager.query(
      `WITH judged AS MATERIALIZED (
         SELECT user_key AS key, users.key IS NOT NULL AS remains, ${this.reason} AS reason
         FROM staged_records AS staged
         LEFT JOIN users ON users.key = user_key AND users.id = staged.id AND users.status = 'active'
         WHERE line = 0
       ), dropped AS (
         DELETE FROM staged_records WHERE line = 0 AND user_key IN (
           SELECT key FROM judged WHERE NOT remains OR reason IS NOT NULL)
         RETURNING 1
       )
       SELECT (SELECT count(*)::integer FROM dropped) AS dropped, ${this.spared('judged')}`,
      this.parameters,
    );
    this.counts.deactivated -= dropped;
    for (const reason of this.reasons)
      this.counts.spared[reason] = (this.counts.spared[reason] ?? 0) + (spared[reason] ?? 0);
    return this.counts;
  }

  /** How many users each reason spares, as one object. */
  private spared(users: string): string {
    const counts = this.reasons.map(
      (reason) => `'${reason}', (SELECT count(*) FROM ${users} WHERE reason = '${reason}')`,
    );
    return `jsonb_build_object(${counts.join(', ')}) AS spared`;
  }

  private get parameters(): [keep: readonly string[], includeAdministrators: boolean] {
    return [this.sync.keep ?? [], this.sync.includeAdministrators ?? false];
  }

  /** Without this check, a misspelt id would deactivate the user that it was meant to keep. */
  private async requireKept(manager: EntityManager): Promise<void> {
    const [unknown]: { id: string }[] = await manager.query(
      `SELECT id FROM unnest($1::text[]) WITH ORDINALITY AS kept (id, place)
       WHERE NOT EXISTS (SELECT FROM users WHERE users.id = kept.id)
         AND NOT EXISTS (SELECT FROM staged_records AS named WHERE named.kind = 'user' AND named.id = kept.id)
       ORDER BY place LIMIT 1`,
      [this.sync.keep ?? []],
    );
    if (!unknown) return;
    const refusal = new ServiceError('query.invalid', { args: { name: 'keep' } });
    throw new ImportRefused(`There is no user ${quote(unknown.id)}, whom --keep names`, refusal);
  }
}
