import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function configuredIn(environment: Record<string, string>): unknown {
  const args = ['-r', require.resolve('@swc-node/register'), join(__dirname, 'print-config.ts')];
  const options = {
    cwd: folder,
    env: { JWT_SECRET: 'a secret for these tests, of more than 32 bytes', ...environment },
    encoding: 'utf8',
    // Not shown: the test of a failure expects what is written there.
    stdio: 'pipe',
  } as const;
  return JSON.parse(execFileSync(process.execPath, args, options));
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
