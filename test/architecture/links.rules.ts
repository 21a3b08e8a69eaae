import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
  const target = path === '' ? page : join(dirname(page), path);
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

/** The links of a page that lead to no file, or to no heading of it. */
export function deadLinks(page: string): string[] {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !link.startsWith('https://') && leadsNowhere(page, link));
}
