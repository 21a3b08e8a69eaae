import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './source-tree';

it('docs/guarantee-tests.md is written from the promises and the tests as they are (after a change, run: npm run guarantees)', async () => {
  const { guaranteeTests } = (await import(join(PROJECT, 'scripts/guarantee-tests.mjs'))) as {
    guaranteeTests(): string;
  };
  expect(readFileSync(join(PROJECT, 'docs', 'guarantee-tests.md'), 'utf8')).toBe(guaranteeTests());
});
