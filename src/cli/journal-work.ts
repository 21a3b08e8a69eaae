import type { Migrated } from '@user-administration/postgres';
import { makeMonths, pruneJournal } from '../journal/journal-months';
import { type Seal, verifyJournal } from '../journal/verify-journal';
import type { Plugin } from '../plugins/plugin';
import { openToRead } from '../terminal/open-to-read';
import { withDirectory } from './with-directory';

const KEPT = /journal-seal-1\.(\d{1,16})\.([0-9a-f]{64})(?![0-9a-f])/;
const MENTION = 'journal-seal-1.';

export async function verify(plugins: readonly Plugin[], { since }: { since?: string }): Promise<void> {
  const start = since === undefined ? undefined : await findSeal(since);
  const verdict = await withDirectory(plugins, (dataSource) => verifyJournal(dataSource, start), false);
  if (verdict.broken !== undefined) throw new Error(verdict.broken);
  const [entries, changes, seals] = [verdict.entries, verdict.changes, verdict.seals].map((n) =>
    n.toLocaleString('en'),
  );
  const extent = start
    ? ' since the kept seal'
    : verdict.since
      ? ` and reaches back to ${verdict.since.toISOString()}`
      : '';
  const { position, hash } = verdict.newest;
  process.stdout.write(
    `The journal is whole${extent}. Entries: ${entries}; changes: ${changes}; seals: ` +
      `${seals}.\n${MENTION}${position}.${hash}\n`,
  );
  if (verdict.late > 0) {
    throw new Error(
      `Transactions that waited for more than a minute until they were sealed: ${verdict.late}. Does the service ` +
        'run? Nothing guarded their changes meanwhile.',
    );
  }
}

/** Migrates the database, and makes the coming months of the journal. */
export function migrateWithMonths(plugins: readonly Plugin[]): Promise<Migrated> {
  return withDirectory(plugins, async (dataSource, migrated) => {
    if (migrated.denied.length === 0) await makeMonths(dataSource);
    return migrated;
  });
}

export async function prune(plugins: readonly Plugin[], before: Date): Promise<void> {
  const holders = plugins.flatMap((plugin) => plugin.months?.() ?? []);
  const months = await withDirectory(plugins, (dataSource) => pruneJournal(dataSource, before, holders));
  const [first, last] = [months[0], months.at(-1)];
  process.stdout.write(
    first === undefined
      ? 'The journal has no entries of months that end before this day. Nothing was removed.\n'
      : `The entries of ${first === last ? first : `${first} to ${last}`} were removed.\n`,
  );
}

/** @param since a seal, or the path of a file that contains one */
async function findSeal(since: string): Promise<Seal> {
  const given = sealIn(since);
  if (given) return given;
  const file = await openToRead(since).catch((error: Error) => {
    throw since.includes(MENTION) ? damaged('The seal') : error;
  });
  try {
    const text = await file.readFile('utf8');
    const kept = sealIn(text);
    if (kept) return kept;
    if (text.includes(MENTION)) throw damaged(`The seal in ${since}`);
    throw new Error(`${since} contains no seal. Give the output of an earlier \`user-admin journal verify\`.`);
  } finally {
    await file.close();
  }
}

function sealIn(text: string): Seal | undefined {
  const [, position, hash] = KEPT.exec(text) ?? [];
  return position !== undefined && hash !== undefined ? { position, hash } : undefined;
}

function damaged(what: string): Error {
  return new Error(`${what} is truncated or altered. Give it as \`user-admin journal verify\` printed it.`);
}
