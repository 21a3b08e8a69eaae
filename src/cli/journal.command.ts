import { type Command, InvalidArgumentError } from 'commander';
import type { Plugin } from '../plugins/plugin';
import { load } from './load-on-demand';

export function addJournalCommands(program: Command, plugins: readonly Plugin[]): void {
  const journal = program.command('journal').description('Verify the journal, and remove old months of it.');
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
    .action((options: { since?: string }) => load('./journal-work').verify(plugins, options));
  journal
    .command('prune')
    .description('Remove the entries of whole months.')
    .requiredOption('--before <date>', 'remove the months that end before this day, such as 2030-01-01 (UTC)', toDay)
    .addHelpText(
      'after',
      `
Run it as the owner of the tables, while the service runs. The seals stay, so the rest of the journal can be verified.
It removes nothing if the date is after the first of this month, or if a plugin still needs these months, which
the message then names.

Followers that have not read the removed entries are refused with 410. Archive what you must keep first: see
docs/recover.md.

Example:
  $ DATABASE_URL=postgres://owner@db.example.com/directory user-admin journal prune --before 2030-01-01`,
    )
    .action(({ before }: { before: Date }) => load('./journal-work').prune(plugins, before));
}

function toDay(text: string): Date {
  const day = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : NaN);
  // `Date` reads the 30th of February as the 2nd of March.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text))
    throw new InvalidArgumentError('Give a day as 2030-01-01.');
  return day;
}
