// Writes a release into a folder: npm run package -- <folder>
// It is the packages of the service, the client, the test kit and the server for agents, an archive that runs without installing anything, and what
// belongs to them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDeadLinks, removeDeadLinksIn } from './pages.mjs';

const [, , folder] = process.argv;
if (folder === undefined) {
  process.stderr.write('Name the folder for the packages: npm run package -- <folder>\n');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'release-'));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const name = `user-administration-${version}`;
const tree = join(scratch, name);

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}

try {
  run(process.execPath, ['scripts/build-if-needed.mjs']);
  run(process.execPath, ['packages/testing/scripts/bundle.mjs']);
  mkdirSync(folder, { recursive: true });
  // They have been built, so there is nothing left to prepare.
  const pack = (destination, ...packages) =>
    JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination, ...packages]));
  // Their pages link to files of a clone, so the packages are packed twice: the second time without these links.
  const unpacked = pack(scratch, '.', './client', './packages/testing', './packages/mcp').map(({ filename }) => {
    const own = mkdtempSync(join(scratch, 'package-'));
    run('tar', ['-xzf', join(scratch, filename), '-C', own, '--strip-components=1']);
    removeDeadLinksIn(own);
    return own;
  });
  const packed = pack(folder, ...unpacked);

  run(process.execPath, ['scripts/production.mjs', tree]);
  // The files of a clone may be for one user only.
  run('chmod', ['-R', 'a+rX', tree]);
  run('tar', ['-czf', join(folder, `${name}.tar.gz`), '-C', scratch, name]);
  const sbom = run('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'], tree);
  writeFileSync(join(folder, `${name}.cdx.json`), sbom);
  for (const file of ['CHANGELOG.md', 'Containerfile']) copyFileSync(file, join(folder, file));

  removeDeadLinks(join(folder, 'CHANGELOG.md'));

  const files = packed.map(({ filename }) => filename);
  files.push(`${name}.tar.gz`, `${name}.cdx.json`, 'CHANGELOG.md', 'Containerfile');
  const sum = (file) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex');
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((file) => `${sum(file)}  ${file}\n`).join(''));
  for (const file of [...files, 'SHA256SUMS']) process.stdout.write(`${join(folder, file)}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}
