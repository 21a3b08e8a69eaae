import type { Command } from 'commander';

/** The group of commands about the directory, to which plugins add theirs. */
export function directoryCommands(program: Command): Command {
  const found = program.commands.find((command) => command.name() === 'directory');
  return found ?? program.command('directory').description('Import and export the whole directory.');
}
