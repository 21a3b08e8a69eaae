import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { Command, CommanderError } from 'commander';
import type { UserTypeRule } from '../users/user-type/user-type-rule';
import { PLUGINS } from '../installed-plugins';
import type { CommandTools, Plugin } from '../plugins/plugin';
import { addDirectoryCommands } from './directory.commands';
import { addJournalCommands } from './journal.command';
import { load } from './load-on-demand';
import { addMigrateCommand } from './migrate.command';
import { addTokenCommand } from './token.command';

const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** `package.json` is in the folder above `dist` and `src`. */
function releaseVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  return version;
}

export interface ToolOptions {
  /** An application's own rule of user types, as `createApp` takes it. */
  userTypeRule?: Type<UserTypeRule>;
  /** By default those of the service. */
  plugins?: readonly Plugin[];
}

/** Each group of commands has a file of its own and one line here. */
function createProgram(userTypeRule: ToolOptions['userTypeRule'], plugins: readonly Plugin[]): Command {
  const program = new Command('user-admin')
    .description('Administers the users of the User Administration Service.')
    .version(releaseVersion(), '-V, --version', 'print the version of this release')
    .addHelpText(
      'after',
      `
It reads the same environment variables and .env file as the service. Without DATABASE_URL it uses the embedded database
in DATA_DIR, also while the service runs on it.

Exit codes: ${EXIT.done} done, ${EXIT.failed} failed, ${EXIT.usage} wrong usage.`,
    )
    .showHelpAfterError('(--help shows the usage)')
    .exitOverride();
  addTokenCommand(program, plugins);
  const tools: CommandTools = {
    plugins,
    userTypeRule: userTypeRule && new userTypeRule(),
    withDirectory: (work, mustWrite) =>
      load('./with-directory').withDirectory(plugins, (dataSource, _, config) => work(dataSource, config), mustWrite),
  };
  for (const plugin of plugins) plugin.commands?.(program, tools);
  addDirectoryCommands(program, plugins);
  addJournalCommands(program, plugins);
  addMigrateCommand(program, plugins);
  return program;
}

/**
 * Runs one command of `user-admin`. A failure is one message on standard error and an exit code other than 0. An
 * application with a rule of its own makes its own program of it, because the plain program changes no
 * directory with another rule.
 *
 * @param argv as `process.argv`: the command begins at the third element
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage
 * @example process.exitCode = await runProgram(process.argv, { userTypeRule: StaffRule });
 */
export async function runProgram(
  argv: readonly string[],
  { userTypeRule, plugins = PLUGINS }: ToolOptions = {},
): Promise<number> {
  try {
    await createProgram(userTypeRule, plugins).parseAsync(argv);
    return EXIT.done;
  } catch (error) {
    // Commander has printed its own errors. It also throws for help and version, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`user-admin: ${load('./explain').explain(error, plugins)}\n`);
    return EXIT.failed;
  }
}
