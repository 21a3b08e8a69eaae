import type { Command } from 'commander';
import { load } from './load-on-demand';

export function addJournalCommands(program: Command): void {
  const journal = program.command('journal').description('Verify the journal.');
  journal
    .command('verify')
    .description('Check that no entry of the journal was altered, removed or inserted.')
    .option('--since <seal>', 'check only changes after a seal: its text, or a file that contains it')
    .addHelpText(
      'after',
      `
Seals what is committed, reads every entry once and compares it with its seal. It can run while the service runs. If the
journal is broken, the command names the first place and ends with exit code 1. So it does if changes waited for more
than a minute to be sealed.

The last line is the newest seal. Keep it outside the database: someone who can change the database can also compute new
seals, but cannot change the one that you have kept. A verification since that seal then fails.

Examples:
  $ user-admin journal verify > verified.txt
  $ cat verified.txt
  The journal is whole and reaches back to 2030-01-01T12:00:00.000Z. Entries: 120,000; changes: 4,210; seals: 3,800.
  journal-seal-1.90194313216047.5f1c...
  $ user-admin journal verify --since verified.txt`,
    )
    .action((options: { since?: string }) => load('./journal-work').verify(options));
}
