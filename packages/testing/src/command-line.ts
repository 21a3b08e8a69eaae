#!/usr/bin/env node
// The emulator for test suites in other languages: `npx @user-administration/testing`.
import '../../../src/supported-node';
import { once } from 'node:events';
import { fstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { readPort } from '../../../src/config/port.rules';
import { startWithControls } from './start-with-controls';
import { TOKEN_KINDS, type TokenKind } from './token-kinds';

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
  .option('--control-port <port>', 'the port of the controls; 0 takes any free port', requirePort, '0')
  .option('--control-host <host>', 'where the controls listen; 0.0.0.0 is everywhere', '127.0.0.1')
  .addOption(
    new Option('--tokens <algorithm>', 'how access tokens are signed: RS256 gives a key set to verify them by')
      .choices(TOKEN_KINDS)
      .default('HS256'),
  )
  .option('--env <NAME=VALUE>', 'a variable of the service; can be given several times', addVariable, {})
  .addHelpText(
    'after',
    `
When it is ready, it prints one line of JSON: its address, the token of a service, which may do everything, and the address of
the controls; with RS256 also the issuer of tokens and their key set.

  {"url":"http://127.0.0.1:49152","token":"eyJhbGciOi...","control":"http://127.0.0.1:49153"}

Controls: POST /reset, /tokens, /clock, /fail-next; GET /events, /ready.

It needs no database and stores nothing. SIGTERM, Ctrl+C or the end of its standard input, if that is a pipe, stops it.

Examples:
  $ ${NAME} --directory test/directory.ndjson --port 0
  $ ${NAME} --tokens RS256 --env JWT_AUDIENCE=https://users.example
  $ curl -d '{"sub":"ada"}' http://127.0.0.1:49153/tokens`,
  )
  .showHelpAfterError('(--help shows the usage)')
  .exitOverride()
  .action(emulate);

interface Options {
  directory?: string;
  port: string;
  controlPort: string;
  controlHost: string;
  tokens: TokenKind;
  env: Record<string, string>;
}

async function emulate({ directory, port, controlPort, controlHost, tokens, env }: Options): Promise<void> {
  const over = new AbortController();
  // From here on: the first process of a container ignores every signal that it does not listen for.
  const stop = stopRequest(over.signal);
  try {
    const starting = startWithControls(
      { directory, tokens, env: { ...env, PORT: port } },
      { port: Number(controlPort), host: controlHost },
    );
    const users = await Promise.race([starting, stop]);
    // The process of the service ends with this one.
    if (!users) process.exit();
    try {
      const { url, control, issuer, jwksUri } = users;
      process.stdout.write(`${JSON.stringify({ url, token: users.serviceToken(), control, issuer, jwksUri })}\n`);
      await stop;
    } finally {
      await users.close();
    }
  } finally {
    over.abort();
    process.stdin.pause();
  }
}

/**
 * Resolves on a signal or at the end of standard input. A test suite in any language closes its pipe, at the latest when it ends.
 *
 * @param over ends the wait
 */
async function stopRequest(over: AbortSignal): Promise<undefined> {
  // A container and a suite without a pipe give /dev/null, whose end says nothing. No suite closes a terminal.
  const input = isPipe() ? [once(process.stdin.resume(), 'end', { signal: over })] : [];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name, { signal: over }));
  await Promise.race([...signals, ...input].map((event) => event.catch(() => undefined)));
}

function isPipe(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isSocket();
}

function addVariable(text: string, others: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
  if (name === 'PORT') throw new InvalidArgumentError('Use --port.');
  if (name === 'DATABASE_URL') throw new InvalidArgumentError('The emulator has a database of its own.');
  return { ...others, [name]: value };
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
