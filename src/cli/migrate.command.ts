import type { Command } from 'commander';
import type { Migrated } from '@user-administration/postgres';
import type { Plugin } from '../plugins/plugin';
import { load } from './load-on-demand';

export function addMigrateCommand(program: Command, plugins: readonly Plugin[]): void {
  program
    .command('migrate')
    .description('Migrate the tables and SQL functions of the database to this release.')
    .addHelpText(
      'after',
      `
The service does the same when it starts, if its database user has the privileges. If that user may only read and write
rows, run this command as the owner of the tables. It runs in one transaction. If nothing is pending, it changes
nothing. SQL functions of a later release stay.

It also makes the partitions of the journal for the next 36 months, which the service does not. Run it at least every
two years. Until then, the entries of a month without a partition go to a default one, and the next run moves them.

Example:
  $ DATABASE_URL=postgres://owner@db.example.com/directory user-admin migrate`,
    )
    .action(async () => {
      report(await load('./journal-work').migrateWithMonths(plugins));
    });
}

function report({ migrations, functions, denied, newerRelease }: Migrated): void {
  if (denied.length > 0) {
    throw new Error(
      `The functions ${denied.join(', ')} belong to another user. Nothing was changed; run this command as their ` +
        'owner.',
    );
  }
  const done = [
    ...migrations.map(({ name }) => `Migration: ${name}`),
    ...functions.map((name) => `Function:  ${name}`),
    migrations.length + functions.length === 0 ? 'Nothing is pending.' : 'The database is up to date.',
    ...(newerRelease ? ['The SQL functions are of a later release, and stay.'] : []),
  ];
  process.stdout.write(`${done.join('\n')}\n`);
}
