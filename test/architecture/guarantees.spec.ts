import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './source-tree';

const page = readFileSync(join(PROJECT, 'docs', 'guarantees.md'), 'utf8');
const promises = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise'));

describe('docs/guarantees.md', () => {
  it('names a test or a fault for each promise', () => {
    expect(promises.length).toBeGreaterThan(10);
    expect(promises.filter((promise) => !/\.(e2e-)?spec\.ts`|`npm run faults -- /.test(promise))).toEqual([]);
  });

  it('names only tests that exist', () => {
    const named = [...page.matchAll(/`([\w/-]+\.(?:e2e-)?spec\.ts)`/g)].map(([, path]) => path ?? '');
    expect(named.filter((path) => !existsSync(join(PROJECT, 'test', path)))).toEqual([]);
  });

  it('names only faults that exist', () => {
    const faults = readdirSync(join(PROJECT, 'faults')).filter((file) => file.endsWith('.fault.ts'));
    const named = [...page.matchAll(/`npm run faults -- ([a-z -]+)`/g)].flatMap(([, words = '']) => words.split(' '));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((word) => !faults.some((file) => file.includes(word)))).toEqual([]);
  });
});
