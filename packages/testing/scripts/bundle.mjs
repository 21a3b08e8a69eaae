// Bundles the kit into `dist`, which is all that the package contains: the emulator with everything that it is made of, so that
// nothing of it meets the Nest of the app under test. The service and the kit must have been built.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

const kit = join(import.meta.dirname, '..');
const root = join(kit, '../..');
const service = join(root, 'dist');
const target = join(kit, 'dist');
const packageOf = (name) => join(root, 'node_modules', ...name.split('/'));

/** Programs that are data here: the name of the prepared database is derived from some, and a browser runs the others. */
const PROGRAMS = /[\\/]((database|plugins[\\/][^\\/]+)[\\/]migrations|openapi[\\/]page)[\\/]/;
/** The service looks for this folder from the one beside its own, as its sources do. */
const CONSOLE = join(service, 'console');

/** What the service reads from its own folder. */
function copyService() {
  const isData = (path) => !/\.(js|d\.ts)$/.test(path) || (PROGRAMS.test(path) && path.endsWith('.js'));
  for (const path of readdirSync(service, { recursive: true, withFileTypes: true })) {
    if (!path.isFile()) continue;
    const from = join(path.parentPath ?? path.path, path.name);
    if (!from.startsWith(CONSOLE + sep) && isData(from)) cpSync(from, join(target, 'service', relative(service, from)));
  }
  cpSync(CONSOLE, join(target, 'dist/console'), { recursive: true });
}

/** PostgreSQL, without what it has for browsers. */
function copyEngine() {
  const from = packageOf('@electric-sql/pglite');
  const files = ['index.cjs', 'pglite.wasm', 'pglite.data', 'initdb.wasm', 'pg_trgm.tar.gz', 'contrib/pg_trgm.cjs'];
  for (const file of files) cpSync(join(from, 'dist', file), join(target, 'engine/dist', file));
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  writeFileSync(join(target, 'engine/package.json'), `${JSON.stringify({ version })}\n`);
}

/** Swagger UI's page. */
function copyPage() {
  const from = packageOf('swagger-ui-dist');
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) cpSync(join(from, name), join(target, 'page', name));
}

/** A module of the service keeps its folder, with the files that it reads there. */
const folders = {
  name: 'folders',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const folder = path.startsWith(service + sep)
        ? join('service', relative(service, dirname(path)))
        : path === join(packageOf('swagger-ui-dist'), 'absolute-path.js') && 'page';
      const text = folder && readFileSync(path, 'utf8');
      if (!folder || !text.includes('__dirname')) return undefined;
      const contents = text.replaceAll(
        "require.resolve('@electric-sql/pglite')",
        "require('node:path').join(kitFolder, 'engine/dist/index.cjs')",
      );
      return {
        contents: `const __dirname = require('node:path').join(kitFolder, ${JSON.stringify(folder)});\n${contents}`,
      };
    });
  },
};

/** ES modules of Nest that load packages at run time: \`require\` is left to the bundler, which finds them in that way. */
const required = {
  name: 'required',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@nestjs[\\/].*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const line = 'const require = createRequire(import.meta.url);';
      return text.includes(line) ? { contents: text.replace(line, '') } : undefined;
    });
  },
};

/** The engine is a folder of files. What is not installed here is optional, and never looked for among the packages of an app. */
const outside = {
  name: 'outside',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^@electric-sql\/pglite/ }, ({ path }) => {
      const file = path === '@electric-sql/pglite' ? 'index' : path.replace('@electric-sql/pglite/', '');
      return { path: `./engine/dist/${file}.cjs`, external: true };
    });
    onResolve({ filter: /^@user-administration\/client($|\/)/ }, ({ path }) => ({ path, external: true }));
    // nestjs-i18n loads the compiler at its start, and uses it only to write types.
    onResolve({ filter: /^typescript$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...where }) => {
      if (pluginData === 'asked') return undefined;
      const { errors } = await resolve(path, { ...where, pluginData: 'asked' });
      return errors.length > 0 ? { path, namespace: 'absent' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw Object.assign(new Error("Cannot find module '${path}'"), { code: 'MODULE_NOT_FOUND' });`,
    }));
  },
};

/** The declarations that the public ones need. They import nothing but the client. */
function writeTypes(file = join(kit, 'build/start-user-administration.d.ts'), written = new Set()) {
  if (written.has(file)) return;
  written.add(file);
  const inService = file.startsWith(service + sep);
  const place = inService
    ? join('types/service', relative(service, file))
    : join('types', relative(join(kit, 'build'), file));
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*\(?'([^']+)'/g)) {
    if (name.startsWith('.')) writeTypes(join(dirname(file), `${name}.d.ts`), written);
    else if (!name.startsWith('@user-administration/client'))
      throw new Error(`${relative(root, file)} needs the types of ${name}.`);
  }
  mkdirSync(dirname(join(target, place)), { recursive: true });
  writeFileSync(join(target, place), text.replaceAll('../../../dist/', './service/'));
}

rmSync(target, { recursive: true, force: true });
copyService();
copyEngine();
copyPage();
writeTypes();
writeFileSync(join(target, 'index.d.ts'), "export * from './types/start-user-administration';\n");
writeFileSync(join(target, 'index.d.mts'), "export * from './index.js';\n");
writeFileSync(join(target, 'index.mjs'), "export { startUserAdministration } from './index.js';\n");
const { metafile } = await build({
  entryPoints: {
    index: join(kit, 'build/start-user-administration.js'),
    main: join(kit, 'build/main.js'),
    'command-line': join(kit, 'build/command-line.js'),
  },
  outdir: target,
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Of our packages the builds, not the sources that `tsconfig.json` names: esbuild keeps no types for Nest.
  tsconfigRaw: {},
  // Nest, TypeORM and the logs know classes by their names.
  keepNames: true,
  legalComments: 'none',
  banner: { js: "const kitFolder = __dirname, kitUrl = require('node:url').pathToFileURL(__filename).href;" },
  define: { 'import.meta.url': 'kitUrl' },
  plugins: [folders, required, outside],
  metafile: true,
  logLevel: 'warning',
});

/** Everything else is in the bundle. */
const PERMITTED = /^(node:|\.\/engine\/|@user-administration\/client($|\/)|picomatch$)/;
const outsiders = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports.filter(({ external }) => external))
  .map(({ path }) => path)
  .filter((path) => !isBuiltin(path) && !PERMITTED.test(path));
if (outsiders.length > 0) throw new Error(`The bundle would load packages of the app: ${outsiders.join(', ')}.`);
