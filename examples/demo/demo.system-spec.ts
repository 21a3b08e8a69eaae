import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const PROJECT = join(__dirname, '..', '..');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What demos have left in their temporary folder. */
const left = (): string[] => readdirSync(folder);

class Demo {
  output = '';
  private readonly child: ChildProcessByStdio<null, Readable, Readable>;

  /** Starts the demo as `npm run demo` does, with its temporary files in a folder of this test. */
  constructor(preloaded?: string) {
    // What a real service is configured with must not reach the demo.
    const env = {
      ...process.env,
      TMPDIR: folder,
      DATABASE_URL: 'postgres://127.0.0.1:1/real',
      PORT: '1',
      FORCE_COLOR: '1',
      ...(preloaded && { NODE_OPTIONS: `-r ${JSON.stringify(join(__dirname, preloaded))}` }),
    };
    this.child = spawn(process.execPath, ['scripts/build-if-needed.mjs', 'examples/demo/main.mjs'], {
      cwd: PROJECT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  async ended(): Promise<number | null> {
    const [code] = (await once(this.child, 'close')) as [number | null];
    return code;
  }

  async says(text: string): Promise<void> {
    while (!this.output.includes(text)) await once(this.child.stdout, 'data');
  }

  interrupt(): void {
    this.child.kill('SIGINT');
  }

  hangUp(): void {
    this.child.stdout.destroy();
  }

  lines(mark: string): string[] {
    return this.output.split('\n').filter((line) => line.trim().startsWith(mark));
  }
}

describe('npm run demo', () => {
  it('runs all steps, ends with 0, and leaves no files or processes behind', async () => {
    const demo = new Demo();
    expect({ code: await demo.ended(), output: demo.output }).toEqual({
      code: 0,
      output: expect.stringContaining('✓ All 12 steps did as they should (21 checks).'),
    });
    expect(demo.lines('✓')).toHaveLength(22);
    expect(demo.lines('✗')).toEqual([]);
    expect(demo.output.match(/^ {3}(\d{3})(?= |$)/gm)?.map(Number)).toEqual([
      ...[200, 400, 403, 200, 401, 200, 403],
      ...[201, 201, 204, 204, 204, 204],
    ]);
    expect(demo.output).toContain('   400 {"status":400,"message":"Bitte wählen Sie einen gültigen Benutzer aus."}\n');
    expect(demo.output).toMatch(/^ {3}dee +guest +active +- +-$/m);
    expect(demo.output).toMatch(/^ {3}dee +manager +active +atlas borealis +atlas-editors borealis-managers$/m);
    // Neither colours, nor a token that could be used.
    expect(demo.output).not.toMatch(/\u001b|eyJ[\w-]+\.[\w-]+|scim_[\w-]{43}/);
    expect(left()).toEqual([]);
  });

  it('ends with 1 and reports the difference when the service breaks a rule', async () => {
    const demo = new Demo('late-refusal.cjs');
    expect(await demo.ended()).toBe(1);
    expect(demo.lines('✗')).toEqual([
      '   ✗ The token is refused at once, minutes before it expires',
      '✗ 1 of 21 checks differed:',
    ]);
    expect(demo.output).toContain('     expected 401 {"status":401,"message":"Please sign in with a valid token."}\n');
    expect(demo.output).toContain('     but got  403 {"status":403,"message":"Only an administrator can do this."}\n');
    expect(demo.lines('✓')).toHaveLength(20);
    expect(left()).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted once or twice', async () => {
    const demo = new Demo();
    await demo.says('It runs at');
    demo.interrupt();
    demo.interrupt();
    expect(await demo.ended()).toBe(130);
    expect(demo.output).toContain('Stopped by SIGINT; everything is removed.');
    expect(left()).toEqual([]);
  });

  it('leaves nothing behind when its output is closed', async () => {
    const demo = new Demo();
    await demo.says('The User Administration Service');
    demo.hangUp();
    expect(await demo.ended()).toBe(141);
    expect(left()).toEqual([]);
  });
});
