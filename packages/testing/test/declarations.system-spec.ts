import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../../..');
const { exports: entries, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string }>;
  dependencies: Record<string, string>;
};

/** The packages that the declarations at this path import, and those that they import in turn. */
function importedPackages(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  return ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles.flatMap(({ fileName: name }) => {
    if (!name.startsWith('.')) return [name.split('/', name.startsWith('@') ? 2 : 1).join('/')];
    const target = join(dirname(path), name);
    const found = [`${target}.d.ts`, join(target, 'index.d.ts')].find(existsSync);
    return found ? importedPackages(found, seen) : [];
  });
}

describe('the declarations of the package', () => {
  it('need no types beyond those of an installation, so an app can compile with skipLibCheck: false', () => {
    const found = Object.values(entries).flatMap((entry) =>
      typeof entry === 'string' ? [] : importedPackages(join(ROOT, entry.types)),
    );
    const typed = found.map((name) => `@types/${name}`).filter((name) => existsSync(join(ROOT, 'node_modules', name)));
    expect(found).toContain('@nestjs/common');
    expect([...new Set(typed)].filter((name) => !(name in dependencies))).toEqual([]);
  });
});
