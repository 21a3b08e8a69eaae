import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process that prints its configuration from the environment and the `.env` file of its folder. */
const PRINT = `
  const { loadConfig } = require(${JSON.stringify(join(__dirname, '../../dist/load-config.js'))});
  const { port, host, accessTokens } = loadConfig();
  console.log(JSON.stringify({ port, host, issuers: accessTokens.issuers }));`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function configuredIn(environment: Record<string, string>): unknown {
  const options = {
    cwd: folder,
    env: { JWT_SECRET: 'a secret for these tests, of more than 32 bytes', ...environment },
    encoding: 'utf8',
    // Not shown: the test of a failure expects what is written there.
    stdio: 'pipe',
  } as const;
  return JSON.parse(execFileSync(process.execPath, ['-e', PRINT], options));
}

/** What a start is refused for. */
function failureIn(environment: Record<string, string>): string {
  try {
    configuredIn(environment);
    return '';
  } catch (error) {
    return /The configuration has problems:(\n {2}- .+[.?])+/.exec((error as Error).message)?.[0] ?? String(error);
  }
}

describe('the .env file', () => {
  it('gives way to environment variables', () => {
    writeFileSync(join(folder, '.env'), 'PORT=4000\nHOST=::1 # a comment\nJWT_ISSUER="from the file"\n');
    expect(configuredIn({ HOST: '127.0.0.2' })).toEqual({ port: 4000, host: '127.0.0.2', issuers: ['from the file'] });
  });

  it('can begin with a byte order mark, which some editors write', () => {
    writeFileSync(join(folder, '.env'), '\uFEFFPORT=4000\r\nHOST=::1\r\n');
    expect(configuredIn({})).toEqual({ port: 4000, host: '::1', issuers: [] });
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFFPORT=4000\n', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('PORT=4000\n', 'utf16le')],
    ['Latin-1', Buffer.from('PORT=4000\nJWT_ISSUER=Zürich\n', 'latin1')],
  ])('cannot be in %s, in which its variables would be lost or changed', (_, bytes) => {
    writeFileSync(join(folder, '.env'), bytes);
    expect(() => configuredIn({})).toThrow(
      'The configuration has problems:\n  - .env in the working folder must be a file of text in UTF-8, or be removed.',
    );
  });

  it('is refused with every line that is no assignment, and every misspelt name, without quoting a value', () => {
    const lines = [
      'PORT: 42206', // 1
      '# PORT: 42206',
      '',
      'export HOST = ::1 # a comment',
      'JWT_AUDIENCE="several',
      'lines # of',
      'one value" # a comment',
      "LOG_LEVEL='warn' and more hunter2", // 8
      'hunter2', // 9
      'JWT_ISSUER="hunter2', // 10
      '=hunter2', // 11
      'DATABSE_URL=',
      'JWT_SECRT=hunter2',
      'PROT=4000',
      'HOTS=::1',
      'PGHOST=a',
      'PGPORT=1',
      'HOME=/root',
      'PATH=/bin',
      'LOG LEVEL=info', // 20
      'STATUS_TOKEN_SECRET_FIEL=/run/hunter2',
    ];
    writeFileSync(join(folder, '.env'), `${lines.join('\r\n')}\r\n`);
    const line = (number: number, name = 'NAME') => `.env must have an assignment in line ${number}: ${name}=value.`;
    const misspelt = (name: string, variable: string) =>
      `${name} in .env is no variable of this service: did you mean ${variable}?`;
    const problems = [
      line(1, 'PORT'),
      line(8, 'LOG_LEVEL'),
      line(9),
      line(10, 'JWT_ISSUER'),
      line(11),
      line(20),
      misspelt('DATABSE_URL', 'DATABASE_URL'),
      misspelt('JWT_SECRT', 'JWT_SECRET'),
      misspelt('PROT', 'PORT'),
      misspelt('STATUS_TOKEN_SECRET_FIEL', 'STATUS_TOKEN_SECRET_FILE'),
      'LOGLEVEL is no variable of this service: did you mean LOG_LEVEL?',
    ];
    const environment = { JWT_SECRET: '', LOGLEVEL: 'debug', PRT: '1', HOST: '::1' };
    expect(failureIn(environment)).toBe(['The configuration has problems:', ...problems].join('\n  - '));
  });

  it('cannot be a folder', () => {
    mkdirSync(join(folder, '.env'));
    expect(() => configuredIn({})).toThrow(
      'The configuration has problems:\n  - .env in the working folder must be a file that can be read, or be removed.',
    );
  });

  it('is optional', () => {
    expect(configuredIn({ PORT: '4001' })).toEqual({ port: 4001, host: '127.0.0.1', issuers: [] });
  });
});
