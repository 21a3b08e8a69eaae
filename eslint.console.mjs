// What the folders and files of the administrators' page may import (console/README.md). Circles are in test/architecture.

const PACKAGES = ['preact', 'preact/hooks', 'oauth4webapi', '@user-administration/client'];

const KIT = ['language/', 'ui/', 'csv.ts', 'directory-version.ts', 'service-errors.ts'];
const SESSION = [...KIT, 'routing/', 'session/', 'storage.ts', 'service.ts', 'names.ts'];
const CHANGES = [...SESSION, 'entry-of-request.ts', 'make-once.ts'];
const CARDS = [
  ...CHANGES,
  'fresh.ts',
  'finding/',
  'records/',
  'places/',
  'people/',
  'changes/',
  'history/',
  'later.tsx',
];
const EVERYTHING = ['[^/]*$', '[^/]*/'];

/** What each may import of the page, besides its own folder, whose name ends in a slash; from the lowest floor to the highest. */
const FLOORS = {
  'environment.d.ts': [],
  'storage.ts': [],
  'service-errors.ts': [],
  'csv.ts': [],
  'sign-in/': ['storage.ts'],
  'swagger-sign-in.ts': ['sign-in/'],
  'language/': ['storage.ts'],
  'ui/': KIT,
  'directory-version.ts': ['ui/store.ts'],
  'routing/': KIT,
  'finding/': [...KIT, 'routing/'],
  'session/': [...KIT, 'sign-in/', 'storage.ts', 'service.ts', 'names.ts'],
  'service.ts': ['language/', 'session/', 'service-errors.ts'],
  'names.ts': ['service.ts', 'ui/store.ts'],
  'entry-of-request.ts': ['service.ts', 'session/'],
  'make-once.ts': CHANGES,
  'records/': CARDS,
  'places/': CARDS,
  'people/': CARDS,
  'changes/': CARDS,
  'history/': CARDS,
  'fresh.ts': CARDS,
  'setups/': [...CHANGES, 'history/facts.ts', 'records/'],
  'connections/': [...CARDS, 'setups/'],
  'webhooks/': [...CARDS, 'setups/'],
  'imports/': CARDS,
  'start/': [...CARDS, 'webhooks/'],
  'administrators-pages.ts': ['start/', 'connections/', 'webhooks/', 'imports/', 'people/', 'history/history-page.tsx'],
  'later.tsx': [...KIT, 'administrators-pages.ts'],
  'show-in.ts': SESSION,
  'language-menu.tsx': [...KIT, 'show-in.ts'],
  'theme.ts': ['storage.ts', 'ui/store.ts'],
  'looks.tsx': [...KIT, 'theme.ts', 'language-menu.tsx'],
  'keys-dialog.tsx': [...SESSION, 'finding/'],
  'session-menu.tsx': [...SESSION, 'looks.tsx', 'keys-dialog.tsx'],
  'app.tsx': EVERYTHING,
  'main.tsx': EVERYTHING,
};
/** The page knows the service by the client alone. */
const OUTSIDE = {
  'language/': ['../../messages/en.json'],
  'csv.ts': ['../../src/contract/csv.ts'],
  'people/': ['../../../src/contract/access.ts'],
};

const SRC = 'console/src';
const asRegex = (name) => (name.endsWith('/') || name.endsWith('$') ? name : `${name}$`);

function floor([name, below]) {
  const isFolder = name.endsWith('/');
  const allowed = [
    ...[...PACKAGES, ...(OUTSIDE[name] ?? [])].map(asRegex),
    ...(isFolder ? ['\\./'] : []),
    ...below.map((each) => (isFolder ? '\\.\\./' : '\\./') + asRegex(each)),
  ];
  const message = `console/src/${name} may import of the page only: ${below.join(' ')}`;
  return {
    files: [`${SRC}/${name}${isFolder ? '**' : ''}`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex: `^(?!(${allowed.join('|')}))`, message }] }] },
  };
}

export default [
  {
    files: [`${SRC}/**`],
    ignores: [`${SRC}/later.tsx`],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['ImportExpression', 'TSImportType'].map((selector) => ({
          selector,
          message: 'Only later.tsx loads a script later.',
        })),
      ],
    },
  },
  // A new file or folder has no floor yet.
  {
    files: [`${SRC}/**`],
    ignores: Object.keys(FLOORS).map((name) => `${SRC}/${name}${name.endsWith('/') ? '**' : ''}`),
    rules: {
      'no-restricted-syntax': ['error', { selector: 'Program', message: 'Name its floor in eslint.console.mjs.' }],
    },
  },
  ...Object.entries(FLOORS).map(floor),
];
