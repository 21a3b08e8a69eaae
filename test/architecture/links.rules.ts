import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

/** Where the documents may begin a path. */
const ROOTS = ['.', 'src', 'console', 'console/src', 'client/src', 'packages'];
/** A file or folder of the sources, with its folder: `users/users.module.ts`, `console/messages/`. */
const PATH = /`([\w@.-]+(?:\/[\w@.-]+)+\.(?:[cm]?tsx?|mjs|cjs|sql|json|md|txt)|[\w-]+(?:\/[\w-]+)+\/)`/g;
/** A file or folder alone, in a document that says in which folder it stands. */
const NAME = /`([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|sql)|[\w-]+(?=\/`))\/?`/g;

/** The paths in backticks on a page that name nothing. A name without its folder may stand anywhere in the sources. */
export function deadPaths(project: string, page: string, sources: readonly string[]): string[] {
  const text = readFileSync(join(project, page), 'utf8');
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, path = '']) => path);
  const roots = [...ROOTS, dirname(page), join(dirname(page), 'src')].map((root) => join(project, root));
  const names = new Set(sources.map((path) => basename(path)));
  return [
    ...found(PATH).filter((path) => !roots.some((root) => existsSync(join(root, path)))),
    ...found(NAME).filter((name) => !names.has(name) && !roots.some((root) => existsSync(join(root, name)))),
  ];
}
