import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROJECT } from './source-tree';

const { roots } = createRequire(__filename)('../../jest.config.cjs') as { roots: string[] };

const suites = roots
  .map((root) => root.replace('<rootDir>', PROJECT))
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)))
  .filter((file) => file.endsWith('spec.ts'));

/** Only looks for the programs of PostgreSQL. */
const HARMLESS = join(PROJECT, 'test/support/postgres-tools.ts');

/** Whether a suite, or a file of the tests that it imports, can start a process or a browser. */
function startsProcesses(file: string): boolean {
  const imported = [...readFileSync(file, 'utf8').matchAll(/^(?:import|\} from).*'([^']+)';$/gm)].map(
    ([, name]) => name,
  );
  return imported.some((name = '') => {
    if (['node:child_process', 'playwright-core'].includes(name)) return true;
    const path = join(dirname(file), name.endsWith('.ts') ? name : `${name}.ts`);
    return (
      name.startsWith('.') && path.includes('/test/') && path !== HARMLESS && existsSync(path) && startsProcesses(path)
    );
  });
}

describe('the suites', () => {
  it('that start processes or a browser are named system-spec, so `npm test` leaves them out', () => {
    const quick = suites.filter((file) => !file.endsWith('.system-spec.ts'));
    expect(quick.filter(startsProcesses)).toEqual([]);
  });
});
