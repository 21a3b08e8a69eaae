import type { Command } from 'commander';
import type { UserTypeRule } from '../users/user-type/user-type.rule';
import { load } from './load-on-demand';

export function addDirectoryCommands(program: Command, userTypeRule?: UserTypeRule): void {
  const directory = program.command('directory').description('Import and export the whole directory.');
  directory
    .command('import')
    .description('Create and update records from NDJSON, one record per line: all of them, or none.')
    .argument('<file>', 'the file, or - for standard input')
    .addHelpText(
      'after',
      `
New records are created, and existing records are updated. Every line needs the id, the name of a workspace or group, the
workspace of a group, and the grants of a permission. Other fields and lists that a line leaves out stay as they are; a list in
a line replaces the existing list. Lines can have any order, and can refer to each other and to existing records:

  {"permission":{"id":"content.read","description":"Read content","grants":"member"}}
  {"workspace":{"id":"atlas","name":"Atlas","permissions":["content.read"]}}
  {"group":{"id":"atlas-editors","name":"Editors","workspace":"atlas","permissions":[]}}
  {"user":{"id":"ada","email":"ada@example.com","workspaces":["atlas"],"groups":["atlas-editors"]}}

Examples:
  $ user-admin directory import people.ndjson
  $ zcat directory.ndjson.gz | user-admin directory import -`,
    )
    .action((file: string) => load('./directory-work').importFrom(file, userTypeRule));
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
    .action(() => load('./directory-work').exportToOutput());
  directory
    .command('erase')
    .description('Delete a user, if need be, and erase the personal facts of the user everywhere.')
    .argument('<id>', 'the id of the user')
    .addHelpText(
      'after',
      `
It removes the email and display name from the journal, and the reasons of all requests that concerned the user. The id, the
times and the types stay. The journal can be verified as before.

Example:
  $ user-admin directory erase ben`,
    )
    .action((id: string) => load('./directory-work').erase(id));
}
