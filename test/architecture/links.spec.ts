import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from './source-tree';

const PAGES = [
  ...[
    'README.md',
    'SECURITY.md',
    'bench/lists.md',
    'bench/measurements.md',
    'CHANGELOG.md',
    'client/README.md',
    'client/CHANGELOG.md',
    'packages/pglite-server/README.md',
    'packages/scim-protocol/README.md',
    'packages/testing/README.md',
  ],
  ...readdirSync(join(PROJECT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'examples/onboarding-service/README.md',
];

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function leadsNowhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(PROJECT, page) : join(PROJECT, dirname(page), path);
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

describe.each(PAGES)('%s', (page) => {
  it('links only to files and headings that exist', () => {
    const text = readFileSync(join(PROJECT, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !link.startsWith('https://') && leadsNowhere(page, link))).toEqual([]);
  });
});
