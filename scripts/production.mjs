// Writes what a machine needs to run the service into a new folder: node scripts/production.mjs <folder>
// It is the build and its packages, without what only compilers, browsers and developers read. The image and the archive of
// a release contain the same.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { removeDeadLinksIn } from './pages.mjs';

const [, , folder] = process.argv;
const OWN = ['dist', 'docs', 'deploy', 'openapi.json', '.env.example', 'CHANGELOG.md', 'SECURITY.md'];

const LEFT_OUT = [
  // They are for those who have a clone.
  /\/docs\/(ARCHITECTURE\.md|guarantees\.txt|tour\.md|[^/]*\.png)$/,
  /\.map$|\.d\.[cm]?ts$|\/node_modules\/.*\.md$/i,
  /\/node_modules\/(typescript|undici-types|@types)(\/|$)/,
  /\/node_modules\/.*\/(browser|bundles?|iife|esm5|esm2015|es6|es6-modern|esnext|umd|tests?)$/,
  /\/(dayjs\/esm|rxjs\/(src|dist\/esm)|@opentelemetry\/api\/build\/esm)$/,
  /\/swagger-ui-dist\/swagger-ui(-es-bundle[^/]*|-standalone-preset|)\.js$/,
  /\/node_modules\/@user-administration\/[^/]+\/src$/,
  /\/pglite\/dist\/(?!pg_trgm)[^/]*\.tar\.gz$/,
  // class-validator requires `max`.
  /\/libphonenumber-js\/(source|mobile|min|max\/metadata|metadata\.(full|min|mobile)\.json|metadata\.max\.json\.js)/,
  // @nestjs/swagger imports the others.
  /\/es-toolkit\/.*\.js$/,
];

function copy(path) {
  // The packages inside a package are copied by themselves.
  const nested = join(resolve(path), 'node_modules');
  const filter = (source) => source !== nested && !LEFT_OUT.some((pattern) => pattern.test(source));
  cpSync(resolve(path), join(folder, path), { recursive: true, dereference: true, filter });
}

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const write = (path, value) => writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`);

const manifest = read('package.json');
for (const field of ['devDependencies', 'workspaces', 'scripts']) delete manifest[field];
const { packages, ...lock } = read('package-lock.json');
const ours = manifest.bundleDependencies.map((name) => `node_modules/${name}`);
const needed = Object.entries(packages)
  .filter(([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link)
  // What our packages need beside them, the manifest names. npm takes an overridden version for a broken peer.
  .concat(ours.map((path) => [path, { ...packages[packages[path].resolved], peerDependencies: undefined }]));

mkdirSync(folder, { recursive: true });
for (const [path] of needed) if (existsSync(path)) copy(path);
for (const path of OWN) copy(path);

// The README of an archive stands above the folder in which a clone has it.
const readme = join(folder, 'README.md');
renameSync(join(folder, 'deploy/archive.md'), readme);
writeFileSync(readme, readFileSync(readme, 'utf8').replaceAll('](../', ']('));
removeDeadLinksIn(folder);
write('package.json', manifest);
write('package-lock.json', { ...lock, packages: { '': manifest, ...Object.fromEntries(needed) } });
