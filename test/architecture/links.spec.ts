import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deadLinks } from './links.rules';
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
    'client/CHANGELOG.md',
    'packages/access-tokens/README.md',
    'packages/pglite-server/README.md',
    'packages/postgres/README.md',
    'packages/scim-protocol/README.md',
    'packages/testing/README.md',
  ],
  ...readdirSync(join(PROJECT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'examples/onboarding-service/README.md',
];

describe.each(PAGES)('%s', (page) => {
  it('links only to files and headings that exist', () => {
    expect(deadLinks(join(PROJECT, page))).toEqual([]);
  });
});
