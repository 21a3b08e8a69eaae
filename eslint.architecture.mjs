// What ESLint can say of docs/ARCHITECTURE.md. The order of the folders, circles of imports and names are in test/architecture.

import { readdirSync } from 'node:fs';

const SOURCES = ['src/**/*.ts', 'packages/*/src/**/*.ts'];
/** The public names of a package. */
const PUBLIC_NAMES = [
  ...['access-tokens', 'pglite-server', 'postgres', 'scim-protocol'].map((name) => `packages/${name}/src/index.ts`),
  'packages/access-tokens/src/keys.ts',
  'packages/postgres/src/settings.ts',
];
/** Folders that know no feature, and so no route of one. */
const FEATURELESS = ['contract', 'config', 'i18n', 'server', 'answers', 'html-pages', 'openapi'];
const below = (...folders) => folders.map((folder) => `src/${folder}/**/*.ts`);

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
/** Folders of the ground, which know nothing of users: a plugin may know them beside the door, as it may know packages. */
const GROUND = ['answers', 'html-pages', 'i18n', 'openapi', 'server', 'terminal'];
/** The plugins that know more of the service than the door yet, and the folders that each of them looks into. */
const BESIDE_THE_DOOR = {
  scim: ['auth', 'contract', 'database', 'directory', 'records', 'users', 'workspaces'],
  transfer: ['auth', 'contract', 'database', 'directory', 'journal', 'permissions', 'records', 'users', 'workspaces'],
  webhooks: ['contract'],
};
const PLUGINS = readdirSync('src/plugins', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const restricted = (files, regex, message) => ({
  files,
  ignores: ['**/migrations/**'],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
});
/** A plugin imports itself, packages, the ground, and of the service the door alone. It knows no other plugin. */
const DOORS = PLUGINS.flatMap((name) => {
  const seen = [...GROUND, ...(BESIDE_THE_DOOR[name] ?? [])].join('|');
  const outside = `\\.\\./(?!door$|\\.\\./(${seen})/)`;
  const message = 'A plugin knows of the service what src/plugins/door.ts exports, and no other plugin.';
  return [
    restricted([`src/plugins/${name}/*.ts`], `^${outside}`, message),
    restricted([`src/plugins/${name}/*/*.ts`], `^\\.\\./${outside}`, message),
  ];
});
const NO_PLUGIN = restricted(
  ['src/**/*.ts'],
  `plugins/(${PLUGINS.join('|')})/`,
  'The service knows no plugin. src/installed-plugins.ts alone names those that it has.',
);

/** Every path below `/api` is one of a feature, but the documentation. */
const NO_ROUTES = rule(
  'This folder knows no feature, and so no route of one.',
  'Literal[value=/\\bapi\\/(?!docs)/]',
  'Literal[raw=/\\bapi\\\\\\/(?!docs)/]',
  'TemplateElement[value.raw=/\\bapi\\/(?!docs)/]',
);
const NO_OTHER_IMPORTS = rule('The contract imports nothing but itself.', 'ImportExpression', 'TSImportType');

export default [
  { ...NO_PLUGIN, ignores: ['src/plugins/*/**', 'src/installed-plugins.ts'] },
  ...DOORS,
  { files: [...SOURCES, 'client/src/**/*.ts'], ignores: ['**/generated/**'], rules: { 'max-lines': ['error', 250] } },
  { files: SOURCES, rules: syntax(NO_BARRELS, NO_ENVIRONMENT) },
  // It has no configuration but its arguments and one variable.
  { files: ['packages/mcp/src/command-line.ts'], rules: syntax(NO_BARRELS) },
  { files: ['src/**/index.ts'], rules: syntax(rule('Name a file after what it holds.', 'Program')) },
  { files: PUBLIC_NAMES, rules: syntax(NO_ENVIRONMENT) },
  { files: below(...FEATURELESS), rules: syntax(NO_BARRELS, NO_ENVIRONMENT, NO_ROUTES) },
  { files: below('config'), rules: syntax(NO_BARRELS, NO_ROUTES) },
  {
    files: below('contract'),
    rules: {
      ...syntax(NO_BARRELS, NO_ENVIRONMENT, NO_ROUTES, NO_OTHER_IMPORTS),
      'no-restricted-imports': ['error', { patterns: [{ regex: '^[^.]', message: NO_OTHER_IMPORTS[0].message }] }],
    },
  },
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
