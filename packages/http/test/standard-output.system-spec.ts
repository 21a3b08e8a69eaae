import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MIB = 1024 * 1024;
/** Four times as much as may wait. */
const LINES = 16_384;
const LINE_BYTES = 1_024;
/** What the pipe and the reader hold themselves. */
const PIPE_BYTES = MIB / 2;

/**
 * Writes half of what may wait in iterations of the event loop, all further lines in one iteration, and one more on
 * demand. So nothing that the pipe takes in between makes room for a line after one that was dropped.
 */
const PROGRAM = `
  const { standardOutput } = require('./packages/http/dist/standard-output.js');
  let written = 0;
  (function write() {
    for (let n = written < 2_048 ? 256 : ${LINES} - written; n > 0; n--) standardOutput.write(String(written++).padEnd(${LINE_BYTES - 1}, '.') + '\\n');
    if (written < ${LINES}) setImmediate(write);
    else setImmediate(() => process.send(standardOutput.dropped));
  })();
  process.on('message', () => standardOutput.write('the end\\n'));`;

it('keeps at most four MiB that nobody reads, drops further lines whole, and goes on when somebody reads', async () => {
  const child = spawn(process.execPath, ['-e', PROGRAM], {
    cwd: join(__dirname, '../../..'),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const [dropped] = (await once(child, 'message')) as [number];
    let text = '';
    let isAsked = false;
    for await (const chunk of child.stdout ?? []) {
      text += String(chunk);
      if (!isAsked && text.length > 2 * MIB) isAsked = child.send('one more');
      if (text.endsWith('the end\n')) break;
    }
    const lines = text.split('\n').slice(0, -2);
    expect(lines.map((line) => [line.length, Number.parseInt(line, 10)])).toEqual(
      lines.map((_, index) => [LINE_BYTES - 1, index]),
    );
    expect(dropped).toBe(LINES - lines.length);
    expect(text.length).toBeGreaterThan(4 * MIB - 2 * LINE_BYTES);
    expect(text.length).toBeLessThan(4 * MIB + PIPE_BYTES);
  } finally {
    child.kill('SIGKILL');
  }
});
