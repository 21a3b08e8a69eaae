// Fails if openapi.json would break callers of the last release, or before the first one, of the last commit: what was
// documented must not vanish, and what is required must not grow. node scripts/openapi-diff.mjs [base] [revision] [options]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const REDOCLY = join(import.meta.dirname, '../node_modules/@redocly/cli/bin/cli.js');

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout : undefined;
}

function released() {
  const commit = git('describe', '--tags', '--match', 'v*', '--abbrev=0')?.trim() ?? 'HEAD';
  const document = git('show', `${commit}:openapi.json`);
  if (document === undefined) return undefined;
  const file = join(scratch, 'released.json');
  writeFileSync(file, document);
  return file;
}

const scratch = mkdtempSync(join(tmpdir(), 'openapi-'));
try {
  const [, , base = released(), revision = 'openapi.json', ...options] = process.argv;
  if (base === undefined) {
    process.stderr.write('There is no earlier document: this is no clone of the repository.\n');
  } else {
    // Callers must accept values that they do not know, such as a new kind of event.
    const args = ['diff', base, revision, '--skip-rule', 'enum-values-added', ...options];
    process.exitCode = spawnSync(process.execPath, [REDOCLY, ...args], { stdio: 'inherit' }).status ?? 1;
  }
} finally {
  rmSync(scratch, { recursive: true });
}
