import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { UserTypeRule } from '../users/user-type/user-type.rule';
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

interface ToolOptions {
  /** An application's own rule of user types. */
  userTypeRule?: UserTypeRule;
}

/** Each group of commands has a file of its own and one line here. */
function createProgram({ userTypeRule }: ToolOptions): Command {
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
  addTokenCommand(program);
  addDirectoryCommands(program, userTypeRule);
  addJournalCommands(program);
  addMigrateCommand(program);
  return program;
}

/**
 * Runs one command. A failure is one message on standard error and an exit code other than 0.
 *
 * @example process.exitCode = await runProgram(process.argv, { userTypeRule: new StaffRule() });
 */
export async function runProgram(argv: readonly string[], options: ToolOptions = {}): Promise<number> {
  try {
    await createProgram(options).parseAsync(argv);
    return EXIT.done;
  } catch (error) {
    // Commander has printed its own errors. It also throws for help and version, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`user-admin: ${load('./explain').explain(error)}\n`);
    return EXIT.failed;
  }
}
