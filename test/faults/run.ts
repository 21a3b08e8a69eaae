import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const SUFFIX = '.fault.ts';
const EXPLANATION = `Does to the service what can happen to it, on a PostgreSQL of its own, and tells what held.

  npm run faults                                 all of them, as often as is promised
  npm run faults -- sigterm frozen --rounds=2    those whose names contain a word, fewer times
`;

/** One fault after the other, each in a process of its own. Exits 0 only if all of them held. */
function main(): void {
  const given = process.argv.slice(2);
  if (given.includes('--help')) {
    process.stdout.write(EXPLANATION);
    return;
  }
  const [words, options] = [
    given.filter((word) => !word.startsWith('-')),
    given.filter((word) => word.startsWith('-')),
  ];
  const faults = readdirSync(__dirname)
    .filter((file) => file.endsWith(SUFFIX))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  const verdicts = faults.map((file) => {
    const { status } = spawnSync(process.execPath, ['-r', '@swc-node/register', `${__dirname}/${file}`, ...options], {
      stdio: 'inherit',
    });
    return { fault: file.slice(0, -SUFFIX.length), held: status === 0 };
  });
  process.stdout.write('\n');
  for (const { fault, held } of verdicts) process.stdout.write(`${held ? 'held  ' : 'BROKEN'} ${fault}\n`);
  process.exit(verdicts.length > 0 && verdicts.every(({ held }) => held) ? 0 : 1);
}

main();
