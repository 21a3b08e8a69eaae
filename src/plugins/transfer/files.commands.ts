import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandTools } from '../door';
import { AT_MOST, type AtMost, readAtMost, type Sync } from './import-missing';
import { COLUMNS } from './words-of-tables';
import { isReason } from '../../contract/field.rules';
import { LIMITS } from '../../contract/limits';
import { directoryCommands } from '../../terminal/directory-commands';
import type * as FileWork from './file-work';

/** Loaded when a command runs, because TypeORM and Nest take most of the time of a short command. */
function work(): typeof FileWork {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would need the extension of the build.
  return require('./file-work') as typeof FileWork;
}

export function addFileCommands(program: Command, tools: CommandTools): void {
  const directory = directoryCommands(program);
  directory
    .command('import')
    .description('Create and update records from NDJSON, one record per line, or users from CSV: all of them, or none.')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', 'by default csv if the name of the file ends so, otherwise ndjson').choices([
        'ndjson',
        'csv',
      ]),
    )
    .option('--dry-run', 'change nothing, and print what would be created, changed and deactivated')
    .option('--deactivate-missing', 'deactivate the active users that the file does not name')
    .option(
      '--at-most <limit>',
      'refuse to deactivate more missing users than this: a number, or a percentage of the active users (default: 10%)',
      readLimit,
    )
    .option(
      '--keep <id>',
      'never deactivate this user; give the option again for each further user',
      (id: string, ids: string[] = []) => [...ids, id],
    )
    .option('--include-administrators', 'deactivate missing administrators as well')
    .option('--reason <text>', 'the reason for the import, for the journal', readReason)
    .addHelpText(
      'after',
      `
New records are created, and existing records are updated. Every line needs the id, the name of a workspace or group,
the workspace of a group, and the grants of a permission. Other fields and lists that a line leaves out stay as they
are; a list in a line replaces the existing list. Lines can have any order, and can refer to each other and to existing
records:

  {"permission":{"id":"content.read","description":"Read content","grants":"member"}}
  {"workspace":{"id":"atlas","name":"Atlas","permissions":["content.read"]}}
  {"group":{"id":"atlas-editors","name":"Editors","workspace":"atlas","permissions":[]}}
  {"user":{"id":"ada","email":"ada@example.com","workspaces":["atlas"],"groups":["atlas-editors"]}}

CSV has a header with columns in any order, separated by , or ;. A column that is absent leaves the field as it is, and
an empty cell makes it empty. Ids in a list are separated by |, so a list of ids that contain one needs NDJSON. The
columns are ${COLUMNS.join(', ')}:

  id,email,displayName,status,permissions,workspaces,groups
  ada,ada@example.com,"Lovelace, Ada",active,,atlas|borealis,atlas-editors

--deactivate-missing leaves alone whom a SCIM connection knows, whom --keep names, and administrators unless you include
them.

Examples:
  $ user-admin directory import people.ndjson
  $ user-admin directory import people.csv --deactivate-missing --at-most 5% --dry-run
  $ zcat directory.ndjson.gz | user-admin directory import -`,
    )
    .action(
      (file: string, { format, dryRun, deactivateMissing, reason, ...limits }: ImportArguments, command: Command) => {
        for (const [name, option] of Object.entries(SYNC_OPTIONS))
          if (name in limits && !deactivateMissing) command.error(`error: ${option} is only for --deactivate-missing`);
        const choices = {
          format: format ?? (/\.csv$/i.test(file) ? 'csv' : 'ndjson'),
          dryRun,
          reason,
          deactivateMissing: deactivateMissing && { atMost: readLimit(AT_MOST), ...limits },
        };
        return work().importFrom(file, choices, tools);
      },
    );
  directory
    .command('export')
    .description('Write the whole directory to standard output as NDJSON, from one snapshot.')
    .addHelpText(
      'after',
      `
An import of an export changes nothing.

Examples:
  $ user-admin directory export > directory.ndjson
  $ user-admin directory export | grep '^{"user"' | head`,
    )
    .action(() => work().exportToOutput(tools));
}

interface ImportArguments {
  format?: 'ndjson' | 'csv';
  dryRun?: true;
  deactivateMissing?: true;
  atMost?: AtMost;
  keep?: string[];
  includeAdministrators?: true;
  reason?: string;
}

const SYNC_OPTIONS: Record<keyof Sync, string> = {
  atMost: '--at-most',
  keep: '--keep',
  includeAdministrators: '--include-administrators',
};

function readLimit(text: string): AtMost {
  const limit = readAtMost(text);
  if (!limit) throw new InvalidArgumentError('It must be a number of users, or a percentage from 0% to 100%.');
  return limit;
}

function readReason(text: string): string {
  if (isReason(text)) return text;
  throw new InvalidArgumentError(`It must have 1 to ${LIMITS.reason} characters.`);
}
