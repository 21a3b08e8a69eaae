// What ESLint can say of docs/ARCHITECTURE.md. Circles of imports and names are in test/architecture.

import { readdirSync } from 'node:fs';

const FOUNDATION = ['contract', 'config'];
const ANSWERING = [...FOUNDATION, 'i18n', 'server', 'answers', 'html-pages', 'openapi'];
const DIRECTORY = [...FOUNDATION, 'database', 'directory'];
const CALLERS = [...new Set([...DIRECTORY, ...ANSWERING, 'auth'])];
const FEATURES = [...CALLERS, 'journal', 'idempotency', 'records'];
const SERVICE = [...FEATURES, 'users', 'workspaces', 'permissions', 'expiry', 'health'];

/** The folders that each folder may import. `.` are the files beside the folders, which assemble the service. */
const STANDS_ON = {
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
  '.': [...SERVICE, 'plugins'],
  cli: [...SERVICE, 'plugins', 'terminal', '.'],
};
/** Folders that know no feature, and so no route of one. */
const FEATURELESS = ['contract', 'config', 'i18n', 'server', 'answers', 'html-pages', 'openapi'];

const PLUGINS = readdirSync('src/plugins', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** Folders of the ground, which know nothing of users: a plugin may know them beside the door, as it may know packages. */
const GROUND = ['answers', 'html-pages', 'i18n', 'openapi', 'server', 'terminal'];
/** The plugins that know more of the service than the door yet, and the folders that each of them looks into. */
const BESIDE_THE_DOOR = {
  scim: ['auth', 'contract', 'database', 'directory', 'records', 'users', 'workspaces'],
  transfer: ['auth', 'contract', 'database', 'directory', 'journal', 'permissions', 'records', 'users', 'workspaces'],
  webhooks: ['contract'],
};

/** The public names of a package. */
const PUBLIC_NAMES = [
  ...['access-tokens', 'http', 'pglite-server', 'postgres', 'scim-protocol'].map(
    (name) => `packages/${name}/src/index.ts`,
  ),
  'packages/access-tokens/src/keys.ts',
  'packages/http/src/log.ts',
  'packages/postgres/src/settings.ts',
];

const rule = (message, ...selectors) => selectors.map((selector) => ({ selector, message }));
const syntax = (...rules) => ({ 'no-restricted-syntax': ['error', ...rules.flat()] });

const NO_BARRELS = rule(
  'Import the file that declares a thing: no file only passes on what others declare.',
  'ExportAllDeclaration',
  'Program:has(> ExportNamedDeclaration[source]):not(:has(> :not(ImportDeclaration, ExportNamedDeclaration[declaration=null])))',
);
const NO_ENVIRONMENT = rule(
  'Only src/config reads the environment.',
  'MemberExpression[object.name="process"][property.name="env"]',
  'MemberExpression[object.property.name="process"][property.name="env"]',
  'MemberExpression[computed=true][object.name="process"]',
  'VariableDeclarator[init.name="process"]',
  'ImportDeclaration[source.value=/^(node:)?process$/]',
);
/** Every path below `/api` is one of a feature, but the documentation. */
const NO_ROUTES = rule(
  'This folder knows no feature, and so no route of one.',
  'Literal[value=/\\bapi\\/(?!docs)/]',
  'Literal[raw=/\\bapi\\\\\\/(?!docs)/]',
  'TemplateElement[value.raw=/\\bapi\\/(?!docs)/]',
);
/** `no-restricted-imports` judges imports at the top of a file alone. */
const NO_LATE_IMPORTS = rule(
  'Import a file at the top, where the order of folders is judged.',
  'ImportExpression[source.value=/^\\./]',
);
const SYNTAX = [...NO_BARRELS, ...NO_ENVIRONMENT, ...NO_LATE_IMPORTS];

const NO_PROGRAM = { regex: '(^|/)(main|command-line)$', message: 'A program is started and never imported.' };
const NO_PLUGIN = {
  regex: `plugins/(${PLUGINS.join('|')})/|^\\./(${PLUGINS.join('|')})/`,
  message: 'The service knows no plugin. src/installed-plugins.ts alone names those that it has.',
};
const BODIES = {
  name: '@nestjs/common',
  importNames: ['Body', 'Query'],
  message: 'They hand over whatever was sent. ValidatedBody and ValidatedQuery look at it first.',
};
const imports = (patterns, paths = []) => ({ 'no-restricted-imports': ['error', { patterns, paths }] });

/** What imports of files `levels` below a folder of `src` may name beside that folder. */
function only(levels, allowed, message) {
  const names = allowed.filter((name) => name !== '.').map((name) => `${name}/`);
  if (allowed.includes('.')) names.push('[^/]+$');
  return { regex: `^${'\\.\\./'.repeat(levels + 1)}${names.length > 0 ? `(?!${names.join('|')})` : ''}`, message };
}

/** The files of a folder and of its folders. A rule is set once for a file: the last one holds, and adds nothing. */
const LEVELS = ['*.ts', '*/*.ts'];

function floor([folder, allowed]) {
  const message = `src/${folder} stands on ${allowed.join(', ') || 'nothing'}.`;
  const patterns = (levels) => [
    only(levels, allowed, message),
    NO_PROGRAM,
    ...(folder === 'plugins' ? [NO_PLUGIN] : []),
    ...(folder === 'contract' ? [{ regex: '^[^.]', message: 'The contract imports nothing but itself.' }] : []),
  ];
  return LEVELS.map((files, levels) => ({
    files: [`src/${folder}/${files}`],
    ignores: ['src/database/migrations/*.ts'],
    rules: {
      ...imports(patterns(levels), [BODIES]),
      ...syntax(
        SYNTAX.filter((each) => folder !== 'config' || !NO_ENVIRONMENT.includes(each)),
        FEATURELESS.includes(folder) ? NO_ROUTES : [],
        folder === 'contract'
          ? rule('The contract imports nothing but itself.', 'ImportExpression', 'TSImportType')
          : [],
      ),
    },
  }));
}

/** A plugin imports itself, packages, the ground, and of the service the door alone. It knows no other plugin. */
function plugin(name) {
  const seen = [...GROUND, ...(BESIDE_THE_DOOR[name] ?? [])].map((folder) => `\\.\\./${folder}/`);
  const outside = `\\.\\./(?!(?:door|plugin)$|${seen.join('|')})`;
  const message = 'A plugin knows of the service what src/plugins/door.ts and plugin.ts export, and no other plugin.';
  return LEVELS.map((files, levels) => ({
    files: [`src/plugins/${name}/${files}`],
    ignores: [`src/plugins/${name}/migrations/*.ts`],
    rules: {
      ...imports([{ regex: `^${'\\.\\./'.repeat(levels)}${outside}`, message }, NO_PROGRAM], [BODIES]),
      ...syntax(SYNTAX),
    },
  }));
}

const { '.': BELOW, ...FOLDERS } = STANDS_ON;
const BESIDE = { regex: `^\\./(?!(${BELOW.join('|')})/|[^/]+$)`, message: 'It assembles the service and its plugins.' };

export default [
  {
    files: ['src/**/*.ts', 'packages/*/src/**/*.ts', 'client/src/**/*.ts'],
    ignores: ['**/generated/**'],
    rules: { 'max-lines': ['error', 250] },
  },
  ...Object.entries(FOLDERS).flatMap(floor),
  ...PLUGINS.flatMap(plugin),
  { files: ['src/*.ts'], rules: { ...imports([BESIDE, NO_PROGRAM, NO_PLUGIN]), ...syntax(SYNTAX) } },
  { files: ['src/installed-plugins.ts'], rules: imports([BESIDE, NO_PROGRAM]) },
  {
    files: ['src/**/*.ts'],
    ignores: [...Object.keys(FOLDERS), ...PLUGINS.map((name) => `plugins/${name}`)]
      .flatMap((folder) => LEVELS.map((files) => `src/${folder}/${files}`))
      .concat('src/*.ts'),
    rules: syntax(rule('Name what this folder stands on in eslint.architecture.mjs.', 'Program')),
  },
  { files: ['src/**/index.ts'], rules: syntax(rule('Name a file after what it holds.', 'Program')) },
  // It is what they are made of.
  {
    files: ['src/server/validated.decorators.ts'],
    rules: imports([only(0, STANDS_ON.server, 'src/server'), NO_PROGRAM]),
  },
  {
    // The kit is the service with its controls. Everything else knows nothing of it.
    files: ['packages/*/src/**/*.ts'],
    ignores: ['packages/testing/src/**'],
    rules: { ...imports([only(0, [], 'A package knows nothing of the service.'), NO_PROGRAM]), ...syntax(SYNTAX) },
  },
  {
    files: ['packages/testing/src/**/*.ts'],
    rules: {
      ...imports([
        { regex: '^\\.\\./(?!\\.\\./\\.\\./src/(?!cli/))', message: 'The kit knows the service but its command line.' },
      ]),
      ...syntax(SYNTAX),
    },
  },
  // It has no configuration but its arguments and one variable.
  { files: ['packages/mcp/src/command-line.ts'], rules: syntax(NO_BARRELS) },
  { files: PUBLIC_NAMES, rules: syntax(NO_ENVIRONMENT) },
  {
    // They must mean the same in ten years.
    files: ['src/**/migrations/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(?!typeorm$)', message: 'A migration imports only types of TypeORM.' },
            { regex: '^typeorm$', allowTypeImports: true, message: 'A migration imports only types of TypeORM.' },
          ],
        },
      ],
    },
  },
];
