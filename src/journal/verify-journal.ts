import type { DataSource, EntityManager } from 'typeorm';
import { ChainWalk, type JournalBreak, type SealedRow } from './chain-walk';

/** What a verification found. */
export interface JournalVerdict {
  entries: number;
  seals: number;
  chains: number;
  /** The first thing that is not as it was written; none when all is well. */
  broken?: JournalBreak;
}

const BATCH = 2_000;

/** Every seal with its entries, those of either that lack the other too, and the hash that each entry's content has now. */
const WALK = `
  SELECT
    COALESCE(seal.chain, entry.chain) AS chain, COALESCE(seal.number, entry.seal) AS number,
    seal.entries, seal.hash AS "sealHash", entry.id, entry.position, entry.hash,
    sha256(convert_to(jsonb_build_array(
      'entry/1', entry.id, (extract(epoch FROM entry.at) * 1000)::bigint, entry.action,
      entry.actor_kind, entry.actor_id, entry.granted_by, entry.user_id, entry.workspace_ids, entry.before, entry.after,
      entry.reason, entry.request_id, entry.chain, entry.seal, entry.position
    )::text, 'UTF8')) AS "contentHash"
  FROM journal_seals AS seal
  FULL JOIN journal_entries AS entry ON entry.chain = seal.chain AND entry.seal = seal.number
  ORDER BY 1, 2, entry.position, entry.id`;

/** The first entry that whoever asks for one of its workspaces would not be told of. */
const UNLISTED = `
  SELECT min(entry.id) AS id FROM journal_entries AS entry CROSS JOIN unnest(entry.workspace_ids) AS workspace (id)
  WHERE NOT EXISTS (
    SELECT FROM journal_workspace_seals AS place
    WHERE place.workspace_id = workspace.id AND place.at = entry.at AND place.chain = entry.chain AND place.seal = entry.seal
  )`;

/**
 * Reads the whole journal as it is at one moment, with constant memory, and holds it against its hashes. It does not ask the
 * functions of the database for them: who alters the one may have altered the other.
 *
 * @example
 * const { broken } = await verifyJournal(dataSource);
 * if (broken) console.error(broken.what);
 */
export async function verifyJournal(dataSource: DataSource): Promise<JournalVerdict> {
  return dataSource.transaction('REPEATABLE READ', walkJournal);
}

/** The same, as a transaction sees it. */
export async function walkJournal(manager: EntityManager): Promise<JournalVerdict> {
  const walk = new ChainWalk();
  await manager.query(`DECLARE journal_walk NO SCROLL CURSOR FOR ${WALK}`);
  for await (const row of fetchAll(manager)) walk.visit(row);
  await manager.query('CLOSE journal_walk');
  walk.finish(await manager.query('SELECT chain, number, hash FROM journal_heads ORDER BY chain'));
  const broken = walk.firstBreak ?? (await findUnlisted(manager));
  return { entries: walk.entries, seals: walk.seals, chains: walk.chains, broken };
}

async function findUnlisted(manager: EntityManager): Promise<JournalBreak | undefined> {
  const [unlisted]: { id: string | null }[] = await manager.query(UNLISTED);
  const entry = unlisted?.id ?? undefined;
  return entry === undefined
    ? undefined
    : { entry, what: `Entry ${entry} is not listed under each of its workspaces.` };
}

async function* fetchAll(manager: EntityManager): AsyncGenerator<SealedRow> {
  for (;;) {
    const rows: SealedRow[] = await manager.query(`FETCH ${BATCH} FROM journal_walk`);
    if (rows.length === 0) return;
    yield* rows;
  }
}
