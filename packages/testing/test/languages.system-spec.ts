import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const README = readFileSync(join(__dirname, '../README.md'), 'utf8');
const SUITE = readFileSync(join(ROOT, 'examples/python/test_onboarding.py'), 'utf8');
const COMMAND_LINE = join(__dirname, '../build/command-line.js');

const snippet = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(README)?.[1] ?? '';

/** What must be there, or the reason why a test of a language is left out. */
const TOOLS = {
  python: { command: ['python3', '-c', 'import pytest, requests'], needs: 'python3 with pytest and requests' },
  java: { command: ['javac', '--version'], needs: 'a JDK from 17 on' },
  go: { command: ['go', 'version'], needs: 'Go' },
  csharp: { command: ['dotnet', '--version'], needs: '.NET' },
};

function inLanguage(language: keyof typeof TOOLS, name: string, test: (folder: string) => void): void {
  const { command, needs } = TOOLS[language];
  const [program = '', ...args] = command;
  const isThere = spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  if (!isThere) process.stderr.write(`Left out: ${name}. It needs ${needs}.\n`);
  (isThere ? it : it.skip)(isThere ? name : `${name} (skipped: it needs ${needs})`, () => test(installed()));
}

let folder: string;

/** A folder in which the kit is installed. */
function installed(): string {
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'user-admin-emulator'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND_LINE}' "$@"\n`, {
    mode: 0o755,
  });
  return folder;
}

describe('the suites of the page in other languages', () => {
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'languages-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('have one text in the page and among the examples', () => {
    expect(snippet('python')).toBe(SUITE);
  });

  inLanguage('python', 'the suite in Python passes, whole', (cwd) => {
    writeFileSync(join(cwd, 'test_onboarding.py'), snippet('python'));
    const { stdout, status } = spawnSync('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/6 passed/)]);
  });

  inLanguage('java', 'the three calls in Java work', (cwd) => {
    writeFileSync(join(cwd, 'Suite.java'), snippet('java'));
    expect(execFileSync('java', ['Suite.java'], { cwd, encoding: 'utf8' })).toBe('200\n204\n');
  });

  inLanguage('go', 'the three calls in Go work', (cwd) => {
    writeFileSync(join(cwd, 'main.go'), snippet('go'));
    expect(execFileSync('go', ['run', 'main.go'], { cwd, encoding: 'utf8' })).toBe('200\n204\n');
  });

  inLanguage('csharp', 'the three calls in C# work', (cwd) => {
    execFileSync('dotnet', ['new', 'console', '--force', '--output', '.'], { cwd, stdio: 'ignore' });
    writeFileSync(join(cwd, 'Program.cs'), snippet('csharp'));
    expect(execFileSync('dotnet', ['run'], { cwd, encoding: 'utf8' })).toBe('200\n204\n');
  });
});
