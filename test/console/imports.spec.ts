import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';

const SOURCES = join(__dirname, '../../console/src');
const PACKAGES = /^(preact(\/hooks)?|oauth4webapi|@user-administration\/client)$/;
const IMPORT = /^import\s(?:[^';]*\sfrom\s)?'([^']+)'|\bimport\('([^']+)'/gm;

it('the page stands on preact, oauth4webapi and the client, and knows nothing of the service but the guard that its import takes off', () => {
  const paths = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const imports = paths.flatMap((path) =>
    [...readFileSync(join(SOURCES, path), 'utf8').matchAll(IMPORT)].map(
      ([, fixed, lazy]) => [path, fixed ?? lazy ?? ''] as const,
    ),
  );
  expect(imports.length).toBeGreaterThan(200);
  const isOwn = (path: string, target: string) =>
    target.startsWith('.') && /^(?!\.\.)|^\.\.\/messages\/en\.json$/.test(normalize(join(path, '..', target)));
  const foreign = imports.filter(([path, target]) => !PACKAGES.test(target) && !isOwn(path, target));
  expect(foreign).toEqual([['csv.ts', '../../src/contract/formula-guard.ts']]);
});
