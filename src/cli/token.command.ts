import { type Command, InvalidArgumentError } from 'commander';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { loadTokenConfig } from '../config/read-config';
import { isIdentifier } from '../contract/identifiers';
import type { Plugin } from '../plugins/plugin';

/** More than three hundred years, and within the range of a date. */
const MAX_SECONDS = 9_999_999_999;

export function addTokenCommand(program: Command, plugins: readonly Plugin[]): void {
  program
    .command('token')
    .description('Print one access token, signed with JWT_SECRET (or the secret generated in DATA_DIR).')
    .requiredOption('--sub <userId>', 'the user, or the service, that the token is for', readSubject)
    .option(
      '--scope <scope>',
      'scopes, separated by spaces; "users:administer" makes a service an administrator',
      readScope,
    )
    .option('--expires-in <seconds>', 'lifetime in seconds', readSeconds, 3600)
    .addHelpText(
      'after',
      `
Examples:
  $ user-admin token --sub ada
  $ user-admin token --sub nightly-sync --scope users:administer --expires-in 300
  $ curl -H "authorization: Bearer $(user-admin token --sub ada)" ...`,
    )
    .action((claims: { sub: string; scope?: string; expiresIn: number }) => {
      process.stdout.write(`${signAccessToken(loadTokenConfig(plugins), claims)}\n`);
    });
}

function readSubject(text: string): string {
  if (!isIdentifier(text)) throw new InvalidArgumentError('It must be an id of 1 to 255 characters.');
  return text;
}

/** The format of RFC 6749 section 3.3. */
function readScope(text: string): string {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text)) {
    throw new InvalidArgumentError('It must be one or more scopes, separated by single spaces.');
  }
  return text;
}

function readSeconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > MAX_SECONDS) {
    throw new InvalidArgumentError(`It must be a whole number of seconds from 1 to ${MAX_SECONDS}.`);
  }
  return seconds;
}
