import type { Command } from 'commander';
import type { Plugin } from '../plugins/plugin';
import { directoryCommands } from '../terminal/directory-commands';
import { load } from './load-on-demand';

export function addDirectoryCommands(program: Command, plugins: readonly Plugin[]): void {
  directoryCommands(program)
    .command('erase')
    .description('Delete a user, if need be, and erase the personal facts of everybody who ever bore the id.')
    .argument('<id>', 'the id of the user')
    .option('--former', 'spare the user who bears the id now, and delete nobody')
    .addHelpText(
      'after',
      `
An id can belong to one user after the other. Users who live under another id by now are spared.

It removes the email and display name from the journal, and the reasons of all requests that concerned the user. The id,
the times and the types stay. The journal can be verified as before.

Examples:
  $ user-admin directory erase ben
  $ user-admin directory erase jsmith --former`,
    )
    .action((id: string, { former }: { former?: true }) =>
      load('./erase-work').erase(plugins, id, former ? 'former' : true),
    );
}
