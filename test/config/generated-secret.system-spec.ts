import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConfigError } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';
import { problemsOf } from './problems-of';

const PROCESSES = 4;
const ROUNDS = 25;

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'generated-secret-'));
  dataDir = join(folder, 'deep', 'data');
});
afterEach(() => rmSync(folder, { recursive: true }));

function secretOf(environment: Record<string, string>): string {
  const { key } = loadConfig(environment).accessTokens;
  if (key.kind !== 'secret') throw new Error(`a key of the kind ${key.kind}`);
  return key.secret;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the generated secret', () => {
  it('is long, random and the same at every start', () => {
    const secret = secretOf({ DATA_DIR: dataDir });
    expect(secret).toMatch(/^[\w-]{64}$/);
    expect(secretOf({ DATA_DIR: dataDir })).toBe(secret);
    expect(secretOf({ DATA_DIR: join(folder, 'other') })).not.toBe(secret);
  });

  it('can be read only by its owner, whatever the umask', () => {
    const mask = process.umask(0);
    try {
      secretOf({ DATA_DIR: dataDir });
    } finally {
      process.umask(mask);
    }
    expect(modeOf(join(dataDir, 'jwt-secret'))).toBe('600');
    expect(modeOf(dataDir)).toBe('700');
  });

  it('does not change the mode of an existing folder', () => {
    mkdirSync(dataDir, { recursive: true });
    chmodSync(dataDir, 0o750);
    secretOf({ DATA_DIR: dataDir });
    expect(modeOf(dataDir)).toBe('750');
  });

  it('is not generated if a secret is set', () => {
    const secret = 'a secret for these tests, of more than 32 bytes';
    expect(loadConfig({ DATA_DIR: dataDir, JWT_SECRET: secret }).statusTokenSecret).toBe(secret);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of status tokens is a different one', () => {
    const { statusTokenSecret } = loadConfig({ DATA_DIR: dataDir });
    expect(readdirSync(dataDir).sort()).toEqual(['jwt-secret', 'status-token-secret']);
    expect(statusTokenSecret).not.toBe(secretOf({ DATA_DIR: dataDir }));
    expect(loadConfig({ DATA_DIR: dataDir }).statusTokenSecret).toBe(statusTokenSecret);
    expect(modeOf(join(dataDir, 'status-token-secret'))).toBe('600');
  });

  it.each(['', '\n', 'cut short'])('is not silently replaced if its file contains %j', (left) => {
    secretOf({ DATA_DIR: dataDir });
    const file = join(dataDir, 'jwt-secret');
    writeFileSync(file, left);
    expect(() => loadConfig({ DATA_DIR: dataDir })).toThrow(ConfigError);
    expect(() => loadConfig({ DATA_DIR: dataDir })).toThrow(
      `${file} does not contain a secret; remove it to generate a new one.`,
    );
    expect(readFileSync(file, 'utf8')).toBe(left);
  });

  it('is refused if another user owns its file', () => {
    secretOf({ DATA_DIR: dataDir });
    const file = join(dataDir, 'jwt-secret');
    // Only root can give a file to another user.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, 54_321, 54_321);
    const [problem = 'none'] = problemsOf({ DATA_DIR: dataDir });
    expect(problem).toMatch(isRoot ? `${file} belongs to another user, who may know the secret; remove it` : 'none');
  });

  it('is the same for all processes that start at once', async () => {
    // Each process makes all of the secrets, from the same moment on, so that they meet again and again.
    const folders = Array.from({ length: ROUNDS }, (_, round) => join(folder, `round-${round}`));
    const processes = Array.from({ length: PROCESSES }, () => startMaking(folders));
    await Promise.all(processes.map(({ awake }) => awake));
    const made = await Promise.all(processes.map(({ make }) => make()));

    expect(new Set(made[0]).size).toBe(ROUNDS);
    expect(made).toEqual(Array(PROCESSES).fill(folders.map((dir) => readFileSync(join(dir, 'jwt-secret'), 'utf8'))));
    // No draft is left behind.
    expect(folders.flatMap((dir) => readdirSync(dir))).toEqual(folders.map(() => 'jwt-secret'));
  });
});

function startMaking(folders: string[]): { awake: Promise<unknown>; make(): Promise<string[]> } {
  const args = [join(__dirname, 'make-secrets.cjs'), ...folders];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const awake = once(child.stdout, 'data');
  return {
    awake,
    make: async () => {
      child.stdin.end('\n');
      return JSON.parse(await text(child.stdout)) as string[];
    },
  };
}
