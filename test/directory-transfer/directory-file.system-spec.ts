import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const BUILT = join(__dirname, '../../dist/plugins/transfer');
/** The lines of one batch, of one megabyte. */
const LINES = `Array.from({ length: 2_000 }, (_, n) => JSON.stringify({ workspace: { id: String(n).padEnd(255), name: 'n'.repeat(255) } }))`;
const READ = `
  const { readNdjson } = require(${JSON.stringify(join(BUILT, 'read-ndjson.js'))});
  require(${JSON.stringify(join(BUILT, 'directory-file.js'))}).DirectoryFile.read(readNdjson(${LINES})).then(
    (file) => console.log(file.records + ' records'),
    (error) => console.log(error.code),
  )`;

/** Reads a file in a process whose files can have so many blocks of 512 bytes. */
function read(blocks: number): string {
  const node = [process.execPath, '-e', READ];
  const { stdout, stderr } = spawnSync('sh', ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', ...node], {
    encoding: 'utf8',
  });
  return stdout.trim() || stderr;
}

it('an import file that does not fit into the temporary folder is refused, not cut off', () => {
  expect({ roomy: read(10_000), narrow: read(1_000) }).toEqual({ roomy: '2000 records', narrow: 'EFBIG' });
});
