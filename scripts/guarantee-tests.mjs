// Writes docs/guarantee-tests.md, which names the tests of each promise in docs/guarantees.txt.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const SUFFIX = /\.((e2e|system)-)?spec\.ts$/;

const INTRODUCTION = `# The tests of each promise

Written by \`npm run guarantees\` from \`guarantees.txt\`, where the promises stand.
Each promise has a test that fails if it is broken; [guarantees.md](guarantees.md) begins with the ten that matter most.

- *Forced* tests hold a transaction at the point where the promise could break, and do not wait for chance.
- Tests *on a server* need many connections. They run if \`TEST_DATABASE_URL\` names a PostgreSQL server.
- *System* tests start processes or a browser: \`npm run test:system\`.
- A *fault* is a program that breaks things on purpose: \`npm run faults -- <name>\`.
`;

/** Each suite by the name that guarantees.txt gives it: its path below \`test/\`, without the suffix. */
const suites = new Map(
  ['test', 'client/test', 'packages']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .filter((path) => SUFFIX.test(path) && !path.includes('node_modules'))
    .map((path) => [path.replace(/^test\//, '').replace(SUFFIX, ''), path]),
);
const faults = readdirSync(join(root, 'faults')).filter((path) => path.endsWith('.fault.ts'));

function linkTo(name) {
  if (name.startsWith('fault:')) return linkToFault(name.slice('fault:'.length));
  const path = suites.get(name);
  if (path === undefined) throw new Error(`docs/guarantees.txt names ${name}, which is no test.`);
  const text = readFileSync(join(root, path), 'utf8');
  const marks = [
    /describeOnServer/.test(text) && 'on a server',
    /\bgate\b/.test(text) && 'forced',
    path.includes('.system-spec.') && 'system',
  ].filter(Boolean);
  return `[${name}](../${path})${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
}

function linkToFault(word) {
  const path = faults.find((fault) => fault.includes(word));
  if (path === undefined) throw new Error(`docs/guarantees.txt names the fault ${word}, which does not exist.`);
  return `[${word}](../faults/${path}) (fault)`;
}

/** A heading, or a promise and below it, indented, the names of its tests. */
function toMarkdown(entry) {
  if (entry.startsWith('# ')) return `\n#${entry}\n\n| promise | tests |\n|---|---|`;
  const [promise, names] = entry.split('\n  ');
  if (names === undefined) throw new Error(`docs/guarantees.txt names no test for: ${promise}`);
  return `| ${promise} | ${names.split(' ').map(linkTo).join(', ')} |`;
}

/** The page as the promises and the tests are now. */
export function guaranteeTests() {
  const entries = readFileSync(join(root, 'docs', 'guarantees.txt'), 'utf8').split(/\n(?! )/);
  return `${INTRODUCTION}${entries.filter(Boolean).map(toMarkdown).join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(root, 'docs', 'guarantee-tests.md'), guaranteeTests());
