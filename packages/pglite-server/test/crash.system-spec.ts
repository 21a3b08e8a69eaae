import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { Client } from 'pg';
import { DataDirInUseError } from '../src/folder-errors';
import { findEmbeddedDatabase, openEmbeddedDatabase } from '../src/embedded-database';
import { emptySnapshot } from './empty-snapshot';

const SCRIPT = join(__dirname, 'open-and-write.cjs');

class OtherProcess {
  private readonly lines: AsyncIterator<string>;
  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    this.lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  static async start(dataDir: string): Promise<OtherProcess> {
    const child = spawn(process.execPath, [SCRIPT, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
    const other = new OtherProcess(child);
    expect(await other.nextLine()).toBe('ready');
    return other;
  }

  get pid(): number {
    return this.child.pid!;
  }

  tell(command: string): void {
    this.child.stdin.write(`${command}\n`);
  }

  async nextLine(): Promise<string | undefined> {
    const { value, done } = await this.lines.next();
    return done ? undefined : (value as string);
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

describe('the data folder of the embedded database', () => {
  let dataDir: string;
  let others: OtherProcess[];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'embedded-crash-'));
    others = [];
  });

  afterEach(async () => {
    await Promise.all(others.map((other) => other.kill()));
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = async (): Promise<OtherProcess> => {
    const other = await OtherProcess.start(dataDir);
    others.push(other);
    return other;
  };

  it('keeps every acknowledged write after a kill -9, and can be opened again at once', async () => {
    let acknowledged = -1;
    for (const enough of [30, 60, 90]) {
      const writer = await start();
      writer.tell('open');
      expect(await writer.nextLine()).toBe('held');
      writer.tell('write');
      while (acknowledged < enough) acknowledged = Number(await writer.nextLine());
      await writer.kill();
      for (let line = await writer.nextLine(); line !== undefined; line = await writer.nextLine()) {
        acknowledged = Number(line);
      }

      const before = performance.eventLoopUtilization();
      const database = await openEmbeddedDatabase({ dataDir });
      // Waiting until the claim of the dead process expires would be idle time. A busy machine adds none.
      expect(performance.eventLoopUtilization(before).idle).toBeLessThan(5_000);
      const client = new Client(database.url);
      await client.connect();
      const { rows } = await client.query<{ n: number }>('SELECT n FROM numbers ORDER BY n');
      await client.end();
      await database.close();
      expect(rows.map(({ n }) => n)).toEqual(rows.map((_, index) => index));
      // One more may have been written whose acknowledgement was still under way.
      expect([acknowledged + 1, acknowledged + 2]).toContain(rows.length);
    }
  });

  it('names the process that has it open, and the address of its database', async () => {
    const holder = await start();
    holder.tell('open');
    expect(await holder.nextLine()).toBe('held');

    const refusal = await openEmbeddedDatabase({ dataDir }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataDirInUseError);
    expect(refusal).toMatchObject({ pid: holder.pid, dataDir });
    expect((refusal as Error).message).toContain(`The data folder ${dataDir} is in use by process ${holder.pid}.`);

    const client = new Client(await findEmbeddedDatabase(dataDir));
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();

    await holder.kill();
    expect(await findEmbeddedDatabase(dataDir)).toBeUndefined();
  });

  it.each(['', '{"pid":'])('opens after a failure of the machine that left %j of a claim', async (left) => {
    const claim = join(dataDir, 'postgres.lock', 'dead');
    await mkdir(claim, { recursive: true });
    await writeFile(join(claim, 'claimant.json'), left);

    const database = await openEmbeddedDatabase({ dataDir, snapshot: emptySnapshot });
    expect(await readdir(join(dataDir, 'postgres.lock'))).toHaveLength(1);
    await database.close();
  });

  it('is opened by exactly one of many processes, also after the one before was killed', async () => {
    let rivals = await Promise.all(Array.from({ length: 6 }, start));
    while (rivals.length > 3) {
      for (const rival of rivals) rival.tell('open');
      const verdicts = await Promise.all(rivals.map((rival) => rival.nextLine()));
      const winners = rivals.filter((_, index) => verdicts[index] === 'held');
      expect(winners).toHaveLength(1);
      const [winner] = winners as [OtherProcess];
      expect(verdicts.filter((verdict) => verdict === `refused by ${winner.pid}`)).toHaveLength(rivals.length - 1);
      await winner.kill();
      rivals = rivals.filter((rival) => rival !== winner);
    }
  });
});
