import type { Queryable } from '@user-administration/postgres';
import { CHANGE_KEYS, CHANGE_USERS, CHANGE_WORKSPACES } from './change-row';
import { sealJournal } from './seal-journal';

/**
 * A seal, as an operator keeps it outside the database: the position of its last entry, and its hash in hexadecimal.
 */
export interface Seal {
  position: string;
  hash: string;
}

/** The result of a verification. */
export interface JournalVerdict {
  entries: number;
  changes: number;
  seals: number;
  /** The time of the oldest change that is kept; undefined if there is none. */
  since?: Date;
  /** The first place that is broken, in a sentence; undefined if there is none. */
  broken?: string;
  /** Transactions that waited for more than a minute to be sealed. No hash protected them during this time. */
  late: number;
  /**
   * The newest seal. If it is kept elsewhere, a later verification can start there, and proves that nothing before was
   * lost.
   */
  newest: Seal;
}

/** The users and workspaces of a change by which `journal_subjects` finds it. */
const LISTED = `(
  SELECT 'u'::"char" AS kind, * FROM unnest(${CHANGE_USERS}) AS subject WHERE subject <> user_id
  UNION SELECT 'w', * FROM unnest(${CHANGE_WORKSPACES}) AS subject WHERE subject <> workspace_id
) AS listed`;

/**
 * Whether one of these users was deleted, and then an id that they had borne was erased: an erasure reaches everybody
 * who bore the id and was deleted before it.
 *
 * @param users their keys
 */
const wasErased = (users: string): string => `EXISTS (
  SELECT FROM journal_changes AS deletion
  JOIN journal_changes AS borne
    ON borne.user_key = deletion.user_key AND borne.action IN ('user.deleted', 'user.renamed')
  JOIN journal_changes AS erasure ON erasure.user_id = borne.user_id AND erasure.position > deletion.position
  WHERE deletion.user_key = ANY (${users}) AND deletion.action = 'user.deleted' AND erasure.action = 'user.erased'
)`;

/**
 * Whether the personal facts of a change may be missing: one of its users was erased later, or somebody else whom its
 * request concerned. The latter removes the reason, which all changes of a request have, so then nothing of the request
 * is left. `OR` asks for it last, because one request can have millions of changes.
 */
const ERASED = `(${wasErased(CHANGE_KEYS)} OR EXISTS (
  SELECT FROM (
    SELECT
      COALESCE((SELECT position FROM journal_changes WHERE position <= change.position AND NOT continues
      ORDER BY position DESC LIMIT 1), 0) AS begins,
      COALESCE(
        (SELECT position FROM journal_changes WHERE position > change.position AND NOT continues
        ORDER BY position LIMIT 1), change.position + 1) AS ends
  ) AS request
  WHERE NOT EXISTS (SELECT FROM journal_personal WHERE position >= begins AND position < ends) AND EXISTS (
    SELECT FROM journal_changes AS r WHERE r.position >= begins AND r.position < ends
      AND ${wasErased('COALESCE(r.user_keys, ARRAY[r.user_key])')}
  )
))`;

/** What the hash of a change covers, as JSON. */
const content = (format: string, users: readonly string[]): string => `json_build_array(
  '${format}', change.position, CASE WHEN isfinite(change.at) THEN (extract(epoch FROM change.at) * 1000)::bigint END,
  continues, action, actor_kind, actor_id, granted_by, ${users.join(', ')}, workspace_id,
  workspace_ids[1 : cardinality(workspace_ids)], change.before, change.after, request_id, traceparent,
  encode(change.personal, 'hex')
)::text`;
const IDS = ['user_id', 'user_ids[1 : cardinality(user_ids)]'];
const KEYS = ['user_key', 'user_keys[1 : cardinality(user_keys)]'];

/**
 * The next seals, up to 1,000 or those of about 10,000 changes, each compared with the hash that follows from the log.
 * It is computed here, because an attacker who can alter the journal can also alter the function that seals it. JSON
 * does not show the subscripts of an array, by which readers find entries: so the slices from 1 change an array with
 * other subscripts.
 */
const NEXT_SEALS = `
  WITH next AS MATERIALIZED (
    SELECT *, lag(position, 1, $1::bigint) OVER ordered AS previous,
      lag(hash, 1, decode($2, 'hex')) OVER ordered AS key, sum(changes) OVER ordered - changes AS before
    FROM (SELECT * FROM journal_seals WHERE position > $1 AND position <= $3 ORDER BY position LIMIT 1000) AS seal
    WINDOW ordered AS (ORDER BY position)
  )
  SELECT seal.position, encode(seal.hash, 'hex') AS hash, found, entries, oldest, listings, CASE
    WHEN found = 0 AND seal.position <= (SELECT position FROM journal_pruned) THEN NULL
    WHEN found <> seal.changes OR seal.hash <> sha256(seal.key || convert_to(json_build_array('seal/1', seal.position,
      CASE WHEN isfinite(seal.at) THEN (extract(epoch
      FROM seal.at) * 1000)::bigint END, seal.changes)::text, 'UTF8') || digests)
    THEN format('The journal is broken between the entries %s and %s: %s.', previous + 1, seal.position, CASE
      WHEN found < seal.changes THEN format('%s of %s changes are missing', seal.changes - found, seal.changes)
      WHEN found > seal.changes THEN format('%s changes were added', found - seal.changes)
      ELSE 'the entries do not fit their seal' END)
    WHEN unfit IS NOT NULL THEN format('Entry %s is broken: its reason or personal facts are missing or were altered.',
    unfit)
    WHEN unlisted IS NOT NULL THEN
    format('Entry %s is broken: it is not listed under each of its users and workspaces.', unlisted)
  END AS broken
  FROM next AS seal
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS found, COALESCE(sum(change.entries), 0)::integer AS entries, min(change.at) AS oldest,
      COALESCE(string_agg(sha256(convert_to(CASE seal.version
        WHEN 1 THEN ${content('change/1', IDS)} ELSE ${content('change/2', [...IDS, ...KEYS])}
      END, 'UTF8')), '' ORDER BY change.position), '') AS digests,
      min(change.position) FILTER (WHERE change.personal IS DISTINCT FROM sha256(uuid_send(personal.salt) || convert_to(
        json_build_array(personal.reason, personal.before, personal.after)::text, 'UTF8'))
        AND NOT (personal.position IS NULL AND change.personal IS NOT NULL AND ${ERASED})) AS unfit,
      min(change.position) FILTER (WHERE EXISTS (SELECT FROM ${LISTED} WHERE NOT EXISTS (
        SELECT FROM journal_subjects AS s WHERE s.kind = listed.kind AND s.subject = listed.subject
          AND s.position = change.position
      ))) AS unlisted, COALESCE(sum((SELECT count(*) FROM ${LISTED})), 0)::integer AS listings
    FROM journal_changes AS change LEFT JOIN journal_personal AS personal USING (position)
    WHERE change.position > seal.previous AND change.position <= seal.position
  ) AS compared
  WHERE seal.before < 10000
  ORDER BY seal.position`;

interface SealRow extends Seal {
  found: number;
  entries: number;
  oldest: Date | null;
  listings: number;
  broken: string | null;
}

/** The head, and the newest entry and seal: all in one snapshot. */
const EXTENT = `
  SELECT head.position, encode(head.hash, 'hex') AS hash,
    COALESCE((SELECT max(position + entries - 1) FROM (SELECT * FROM journal_changes
    ORDER BY position DESC LIMIT 1) AS c), 0) > head.position
      AS is_longer
  FROM journal_head AS head`;

interface Extent extends Seal {
  is_longer: boolean;
}

/** The rows of `journal_subjects` up to a position, and those that can belong to no entry. */
const LISTINGS = `SELECT count(*)::integer AS listings FROM journal_subjects
  WHERE position <= $1 OR position > (SELECT position FROM journal_head)`;

/**
 * Seals the journal, and compares it with its seals, in parts and with constant memory. The service may write
 * meanwhile; the verification ends where the journal ended when it began.
 *
 * @param since a seal that was kept; earlier changes are not read again
 * @example
 * const { broken } = await verifyJournal(dataSource);
 * if (broken) console.error(broken);
 */
export async function verifyJournal(database: Queryable, since?: Seal): Promise<JournalVerdict> {
  const [{ late, isReadOnly }] = await database.query<[{ late: number; isReadOnly: boolean }]>(
    `SELECT count(*)::integer AS late, current_setting('transaction_read_only')::boolean AS "isReadOnly"
     FROM journal_inbox WHERE at < clock_timestamp() - interval '1 minute'`,
  );
  // A standby verifies what it has.
  if (!isReadOnly) await sealJournal(database);
  const [extent] = await database.query<Extent[]>(EXTENT);
  const { position, hash } = extent ?? { position: '0', hash: '' };
  const verdict: JournalVerdict = { entries: 0, changes: 0, seals: 0, late, newest: { position, hash } };
  const [start] = await database.query<Seal[]>(
    `SELECT position, encode(hash, 'hex') AS hash FROM journal_seals WHERE position = $1`,
    [since?.position ?? '0'],
  );
  if (!extent || !start || (since && start.hash !== since.hash)) {
    const what = since ? 'entries up to the kept seal, or they were rewritten' : 'its first seal';
    return { ...verdict, broken: `The journal is broken: it has lost ${what}.` };
  }

  let listings = 0;
  let last: Seal = start;
  for (let rows: SealRow[] | undefined; rows?.length !== 0;) {
    rows = await database.query<SealRow[]>(NEXT_SEALS, [last.position, last.hash, position]);
    for (const row of rows) {
      if (row.broken !== null) return { ...verdict, broken: row.broken };
      verdict.entries += row.entries;
      verdict.changes += row.found;
      verdict.seals += 1;
      verdict.since ??= row.oldest ?? undefined;
      listings += row.listings;
      last = row;
    }
  }
  if (since) return { ...verdict, broken: breakOf(extent, last, 0) };
  // Last, because months that are removed meanwhile take theirs with them.
  const [listed] = await database.query<[{ listings: number }]>(LISTINGS, [position]);
  return { ...verdict, broken: breakOf(extent, last, listed.listings - listings) };
}

function breakOf({ position, hash, is_longer }: Extent, last: Seal, strays: number): string | undefined {
  const after = `The journal is broken after entry ${last.position}`;
  if (last.position !== position || last.hash !== hash) {
    return `${after}: the newest seals are missing, or were added.`;
  }
  if (is_longer) return `${after}: changes were added without a seal.`;
  return strays > 0 ? `The journal is broken: ${strays} rows of journal_subjects belong to no entry.` : undefined;
}
