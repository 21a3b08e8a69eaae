import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './source-tree';

/** What operators and callers type. */
const COMMANDS = ['start', 'build', 'test', 'demo', 'lint', 'migration:run', 'cli'];

describe('package.json', () => {
  const { scripts, bin } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
    bin: Record<string, string>;
  };

  it('has every command of the contract', () => {
    expect(COMMANDS.filter((name) => !scripts[name])).toEqual([]);
    expect(bin).toHaveProperty('user-admin');
  });

  it('builds before every command that runs the build', () => {
    const commands = Object.entries(scripts).filter(([, command]) => /^node .*\b(dist|examples\/demo)\//.test(command));
    expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'cli', 'demo']));
    expect(commands.filter(([, command]) => !command.startsWith('node scripts/build-if-needed.mjs '))).toEqual([]);
  });
});
