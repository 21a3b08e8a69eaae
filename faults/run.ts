import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const SUFFIX = '.fault.ts';
const EXPLANATION = `Makes the service fail in many ways, on a PostgreSQL server that this command starts, and reports which promises held.

  npm run faults                                 all faults, with the full number of rounds
  npm run faults -- failover standby --rounds=2  the faults whose names contain one of these words, in two rounds

The programs of a PostgreSQL server must be installed. Faults of a pooler also need PgBouncer.
`;

/** Runs the faults one after the other, each in a process of its own. Exits with 0 only if all promises held. */
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
  if (faults.length === 0) {
    process.stderr.write(`No fault has ${words.join(' or ')} in its name.\n\n${EXPLANATION}`);
    process.exit(1);
  }
  const verdicts = faults.map((file) => {
    const { status } = spawnSync(process.execPath, ['-r', '@swc-node/register', `${__dirname}/${file}`, ...options], {
      stdio: 'inherit',
    });
    return { fault: file.slice(0, -SUFFIX.length), held: status === 0 };
  });
  process.stdout.write('\n');
  for (const { fault, held } of verdicts) process.stdout.write(`${held ? 'held  ' : 'BROKEN'} ${fault}\n`);
  process.exit(verdicts.every(({ held }) => held) ? 0 : 1);
}

main();
