// Packs the client and uses it in a clean folder, with each version of Nest, as CommonJS and as ES modules.
// Usage: node client/packed/run.mjs [10] [11] [12]
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const client = join(import.meta.dirname, '..');
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['10', '11', '12'];
const scratch = mkdtempSync(join(tmpdir(), 'client-packed-'));

/** The settings that `nest new` generates for each version. Nest 12 consists of ES modules, which CommonJS can import only with `nodenext`. */
const SETTINGS = {
  10: { commonjs: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '5.0' } },
  11: { commonjs: { module: 'nodenext' } },
  12: { commonjs: { module: 'nodenext' } },
};
const ES_MODULES = { module: 'nodenext' };

function run(cwd, command, ...args) {
  return execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
}

function tryWith(version, tarball) {
  const folder = join(scratch, `nest-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@${version}`);
  const types = ['typescript@5.9', '@types/node@20'];
  run(
    folder,
    'npm',
    'install',
    '--no-audit',
    '--no-fund',
    '--silent',
    tarball,
    ...nest,
    'rxjs',
    'reflect-metadata',
    ...types,
  );
  for (const [kind, settings] of Object.entries({ ...SETTINGS[version], esm: ES_MODULES })) {
    const app = join(folder, kind);
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), JSON.stringify({ type: kind === 'esm' ? 'module' : 'commonjs' }));
    copyFileSync(join(client, 'packed', 'consumer.ts'), join(app, 'consumer.ts'));
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      esModuleInterop: true,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      skipLibCheck: false,
      ...settings,
    };
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    run(app, join(folder, 'node_modules', '.bin', 'tsc'), '-p', '.');
    const output = run(app, process.execPath, 'consumer.js').trim();
    if (output !== 'ok') throw new Error(`The consumer printed: ${output}`);
    console.log(`Nest ${version}, ${kind}: ok`);
  }
}

try {
  run(client, 'npm', 'run', '--silent', 'build');
  const [{ filename }] = JSON.parse(
    run(client, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', scratch),
  );
  for (const version of versions) tryWith(version, join(scratch, filename));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
