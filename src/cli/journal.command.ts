import type { Command } from 'commander';
import { load } from './load-on-demand';

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
    .action((options: { since?: string }) => load('./journal-work').verify(options));
}
