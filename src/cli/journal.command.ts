import type { Command } from 'commander';
import { verifyJournal } from '../journal/verify-journal';
import { withDirectory } from './with-directory';

export function addJournalCommands(program: Command): void {
  const journal = program.command('journal').description('Look after the record of who did what.');
  journal
    .command('verify')
    .description('Check that the journal is as it was written: nothing altered, nothing missing, nothing slipped in.')
    .addHelpText(
      'after',
      `
Reads every entry once, and holds it against the hash that it was sealed with; may be run beside the service at any time.
Names the first entry that is broken, and ends with exit code 1 then.

Example:
  $ user-admin journal verify
  The journal is whole. Entries: 120,000; seals: 4,210; chains: 12.`,
    )
    .action(verify);
}

async function verify(): Promise<void> {
  const { entries, seals, chains, broken } = await withDirectory(verifyJournal);
  if (broken) throw new Error(broken.what);
  const [entryCount, sealCount, chainCount] = [entries, seals, chains].map((count) => count.toLocaleString('en'));
  process.stdout.write(`The journal is whole. Entries: ${entryCount}; seals: ${sealCount}; chains: ${chainCount}.\n`);
}
