import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deadLinks, deadPaths } from './links.rules';
import { PROJECT } from './source-tree';

const PAGES = [
  ...[
    'README.md',
    'SECURITY.md',
    'CONTRIBUTING.md',
    'deploy/archive.md',
    'bench/lists.md',
    'bench/measurements.md',
    'CHANGELOG.md',
    'client/README.md',
    'console/README.md',
    'client/CHANGELOG.md',
    'packages/access-tokens/README.md',
    'packages/mcp/README.md',
    'packages/pglite-server/README.md',
    'packages/http/README.md',
    'packages/postgres/README.md',
    'packages/scim-protocol/README.md',
    'packages/testing/README.md',
  ],
  ...readdirSync(join(PROJECT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'examples/onboarding-service/README.md',
];

const SOURCES = ['src', 'packages', 'client/src', 'console/src', 'scripts', 'bench', 'test', 'examples'].flatMap(
  (folder) => readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }),
);

describe.each(PAGES)('%s', (page) => {
  it('links only to files and headings that exist', () => {
    expect(deadLinks(join(PROJECT, page))).toEqual([]);
  });

  it('names only paths that exist', () => {
    expect(deadPaths(PROJECT, page, SOURCES)).toEqual([]);
  });
});
