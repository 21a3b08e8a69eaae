import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ChainPlace } from '../journal/hash-chain';
import { readPoint, writePoint } from '../journal/verified-point';
import { verifyJournal } from '../journal/verify-journal';
import { withDirectory } from './with-directory';

export function addJournalCommands(program: Command): void {
  const journal = program.command('journal').description('Verify the journal.');
  journal
    .command('verify')
    .description('Check that no entry of the journal was altered, removed or inserted.')
    .option('--since <point>', 'check only changes after a point: the text of the point, or a file that contains it')
    .addHelpText(
      'after',
      `
Reads every entry once and compares it with its hash. It can run while the service runs. If an entry is broken, the
command names the first one and ends with exit code 1.

The last line is the point that the journal had reached. Keep it outside the database: someone who can change the database
can also compute new hashes, but cannot change the point that you have stored. A verification since that point then fails.

Examples:
  $ user-admin journal verify > verified.txt
  $ cat verified.txt
  The journal is whole. Entries: 120,000; changes: 4,210; chains: 12.
  journal-point-1.AAAAAAAAAAAAAV9t...
  $ user-admin journal verify --since verified.txt`,
    )
    .action(verify);
}

async function verify({ since }: { since?: string }): Promise<void> {
  const start = since === undefined ? undefined : await findPoint(since);
  const { entries, changes, chains, broken, point } = await withDirectory(
    (dataSource) => verifyJournal(dataSource, start),
    false,
  );
  if (broken) throw new Error(broken.what);
  const [entryCount, changeCount, chainCount] = [entries, changes, chains].map((count) => count.toLocaleString('en'));
  const extent = start ? 'whole since the point' : 'whole';
  process.stdout.write(
    `The journal is ${extent}. Entries: ${entryCount}; changes: ${changeCount}; chains: ${chainCount}.\n${writePoint(point)}\n`,
  );
}

async function findPoint(since: string): Promise<ChainPlace[]> {
  const point = readPoint(since) ?? readPoint(await readFile(since, 'utf8').catch(() => ''));
  if (!point) throw new Error(`"${since.slice(0, 80)}" is neither a point nor a file with one. It may be truncated.`);
  return point;
}
