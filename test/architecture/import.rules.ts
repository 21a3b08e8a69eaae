import { builtinModules } from 'node:module';
import { folderOf, type SourceFile } from './source-tree';

const FOUNDATION = ['contract', 'config'];
const ANSWERING = [...FOUNDATION, 'i18n', 'server', 'answers', 'html-pages', 'openapi'];
const DIRECTORY = [...FOUNDATION, 'database', 'directory'];
const CALLERS = [...new Set([...DIRECTORY, ...ANSWERING, 'auth'])];
const FEATURES = [...CALLERS, 'journal', 'idempotency', 'records'];
const SERVICE = [...FEATURES, 'users', 'workspaces', 'permissions', 'expiry', 'health'];
const PLUGINS = ['plugins/admin-page', 'plugins/webhooks', 'plugins/transfer', 'plugins/scim'];

/** The folders that each folder of the sources may import. `.` stands for the files beside the folders, which assemble the service. */
export const STANDS_ON: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  config: ['contract'],
  terminal: [],
  i18n: FOUNDATION,
  server: [...FOUNDATION, 'i18n'],
  answers: [...FOUNDATION, 'i18n', 'server'],
  'html-pages': [...FOUNDATION, 'i18n', 'server'],
  openapi: [...FOUNDATION, 'i18n', 'server', 'answers', 'html-pages'],
  database: FOUNDATION,
  directory: [...FOUNDATION, 'database'],
  auth: [...DIRECTORY, ...ANSWERING],
  journal: CALLERS,
  idempotency: CALLERS,
  records: CALLERS,
  users: FEATURES,
  workspaces: [...FEATURES, 'users'],
  permissions: [...FEATURES, 'users'],
  expiry: [...FEATURES, 'users'],
  health: [...FEATURES, 'expiry'],
  plugins: SERVICE,
  'plugins/admin-page': [...ANSWERING, 'plugins'],
  'plugins/webhooks': [...FEATURES, 'health', 'plugins'],
  'plugins/transfer': [...FEATURES, 'users', 'workspaces', 'permissions', 'plugins', 'terminal'],
  'plugins/scim': [...FEATURES, 'users', 'workspaces', 'plugins'],
  '.': [...SERVICE, 'plugins', ...PLUGINS],
  cli: [...SERVICE, 'plugins', 'terminal', '.'],
  // The packages: these know nothing of the service, and nothing of the service knows the test kit or the server for agents.
  'access-tokens': [],
  mcp: [],
  'pglite-server': [],
  postgres: [],
  'scim-protocol': [],
  testing: [...SERVICE, ...PLUGINS, 'terminal', '.'],
};

/** Programs, which are started and never imported. */
const PROGRAM = /(^|\/)(main|command-line)\.ts$/;

/** Imports that go up or sideways, or to a program, or to a file that is not there. */
export function misdirectedImports(sources: SourceFile[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => {
      if (target === undefined) return [];
      const [from, to] = [folderOf(path), folderOf(target)];
      if (from !== to && !STANDS_ON[from]?.includes(to)) return [`${path} imports ${target}`];
      if (PROGRAM.test(target)) return [`${path} imports the program ${target}`];
      return paths.has(target) || target.endsWith('.json') ? [] : [`${path} imports ${target}, which is not there`];
    }),
  );
}

/** Every file that reaches itself through its imports, with the way. */
export function importCycles(sources: SourceFile[]): string[] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' -> '));
    if (way.includes(path) || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}

/** Packages that the sources import and an installation for production (`npm ci --omit=dev`) does not have. */
export function undeclaredPackages(sources: SourceFile[], dependencies: readonly string[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, specifier, typeOnly }) => target === undefined && !typeOnly && !isBuiltIn(specifier))
      .map(({ specifier }) => packageName(specifier))
      .filter((name) => !dependencies.includes(name))
      .map((name) => `${path} imports ${name}`),
  );
}

function isBuiltIn(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
