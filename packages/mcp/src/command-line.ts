#!/usr/bin/env node
// The server for agents: a client of the Model Context Protocol starts it, and talks to it by standard input and output.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { UserAdministrationClient } from '@user-administration/client';
import { Previews } from './previews';
import { createServer } from './server';

const NAME = 'user-administration-mcp';
const TOKEN = 'USER_ADMINISTRATION_TOKEN';
const USAGE = `Usage: ${NAME} --url <base> [--token-file <file>] [--allow-changes] [--show-addresses]

A Model Context Protocol server over standard input and output. It reads a User Administration Service for an agent, and with
--allow-changes makes changes that it has shown before.

  --url <base>         the address of the service, such as https://users.example
  --token-file <file>  holds the access token, and is read for each call (default: the variable ${TOKEN})
  --allow-changes      offer previews, apply and undo
  --show-addresses     show email addresses
  -V, --version        print the version of this release
  -h, --help           print this
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      'token-file': { type: 'string' },
      'allow-changes': { type: 'boolean', default: false },
      'show-addresses': { type: 'boolean', default: false },
      version: { type: 'boolean', short: 'V' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const manifest = readFileSync(join(__dirname, '../package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  if (values.help || values.version) {
    process.stdout.write(values.help ? USAGE : `${version}\n`);
    return;
  }
  if (values.url === undefined) throw new Error('Name the service: --url https://users.example');
  const client = new UserAdministrationClient({ baseUrl: values.url, token: tokenFrom(values['token-file']) });
  const server = createServer(
    { client, previews: new Previews() },
    { version, allowChanges: values['allow-changes'], showAddresses: values['show-addresses'] },
  );
  await server.connect(new StdioServerTransport());
}

/** A file is read for each call, so a new token needs no restart. */
function tokenFrom(file: string | undefined): string | (() => string) {
  if (file !== undefined) {
    const read = () => readFileSync(file, 'utf8').trim();
    read();
    return read;
  }
  const token = process.env[TOKEN]?.trim();
  if (!token) throw new Error(`Give a token: --token-file <file>, or the variable ${TOKEN}.`);
  return token;
}

main().catch((error: Error) => {
  process.stderr.write(`${NAME}: ${error.message}\n(--help shows the usage)\n`);
  process.exitCode = 2;
});
