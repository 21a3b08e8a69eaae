#!/usr/bin/env node
// The emulator for test suites in other languages: `npx @user-administration/testing`.
import '../../../src/supported-node';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readPort } from '../../../src/config/port.rules';
import { startUserAdministration } from './start-user-administration';

const NAME = 'user-admin-emulator';
const EXIT = { failed: 1, usage: 2 } as const;

const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };

const program = new Command(NAME)
  .description('Runs the User Administration Service in memory for a test suite, until it is stopped.')
  .version(version, '-V, --version', 'print the version of this release')
  .option(
    '--directory <file>',
    'NDJSON records to start with, as for "user-admin directory import" (default: the demo directory)',
  )
  .option('--port <port>', 'the port to listen on; 0 takes any free port', requirePort, '0')
  .addHelpText(
    'after',
    `
When it is ready, it prints one line of JSON with its address and the token of a service, which may do everything.

  {"url":"http://127.0.0.1:49152","token":"eyJhbGciOi..."}

It needs no database and stores nothing. SIGTERM, Ctrl+C or the end of its standard input stops it.

Examples:
  $ ${NAME} --directory test/directory.ndjson --port 0`,
  )
  .showHelpAfterError('(--help shows the usage)')
  .exitOverride()
  .action(emulate);

async function emulate({ directory, port }: { directory?: string; port: string }): Promise<void> {
  const users = await startUserAdministration({ directory, env: { PORT: port } });
  try {
    process.stdout.write(`${JSON.stringify({ url: users.url, token: users.serviceToken() })}\n`);
    await stopRequest();
  } finally {
    await users.close();
  }
}

/** Resolves on a signal or at the end of standard input. A test suite in any language closes its pipe, at the latest when it ends. */
async function stopRequest(): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  // No test suite closes a terminal.
  const input = process.stdin.isTTY ? [] : [once(process.stdin.resume(), 'end', { signal })];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name, { signal }));
  await Promise.race([...signals, ...input]);
  stop.abort();
  await Promise.allSettled([...signals, ...input]);
  process.stdin.pause();
}

function requirePort(text: string): string {
  if (readPort(text) === undefined) throw new InvalidArgumentError('It must be a port, or 0.');
  return text;
}

program.parseAsync().catch((error: Error) => {
  // Commander has printed its own errors. It also throws for help and version, with exit code 0.
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
    return;
  }
  process.exitCode = EXIT.failed;
  process.stderr.write(`${NAME}: ${error.message}\n`);
});
