import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../architecture/source-tree';

/** What the plugins of the service are called, and what they are about. */
const NAMES = /scim|web-?hook|admin(istrators)?['’]?[-_ ]?page|\bimport(s|ed|ing)?\b/i;
/** How TypeScript and Nest say import. */
const SYNTAX = /^\s*import\b.*$|\bimport\(|\bimports: \[|no-require-imports/gm;

/** Lines that must stay, by file and a part of the line, and why. */
const STAY: readonly [file: string, part: string, why: string][] = [
  ['installed-plugins.ts', '', 'It is the list of plugins.'],
  ['openapi/document-part.ts', 'webhooks', 'OpenAPI calls the requests that a service sends webhooks.'],
  ['openapi/openapi-document.ts', 'webhooks', 'The same.'],
  ['users/undo.controller.ts', 'Of an import', 'Callers read it in the OpenAPI document, which stays as it is.'],
  ['users/dto/undo.dto.ts', 'of an import', 'The same.'],
  ['terminal/directory-commands.ts', 'Import and export', 'The help of the command line stays as it is.'],
];

function linesOf(root: string): { path: string; line: string }[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return paths
    .filter((path) => /\.(ts|sql)$/.test(path) && !/^plugins\/[^/]+\/|(^|\/)migrations\//.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8').replace(SYNTAX, '');
      return text.split('\n').map((line) => ({ path, line }));
    });
}

const named = linesOf(join(PROJECT, 'src')).filter(({ line }) => NAMES.test(line));
const isMeant = ({ path, line }: { path: string; line: string }, [file, part]: (typeof STAY)[number]) =>
  path === file && line.includes(part);

it('the service names none of its plugins', () => {
  expect(named.filter((found) => !STAY.some((one) => isMeant(found, one)))).toEqual([]);
});

it('what is permitted to stay is still there', () => {
  const gone = STAY.slice(1).filter((one) => !named.some((found) => isMeant(found, one)));
  expect(gone).toEqual([]);
});
