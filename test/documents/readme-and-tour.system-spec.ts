import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServiceProcess } from '../support/service-process';

const ROOT = join(__dirname, '../..');

/** One block of commands, and what the page shows below it. */
interface Step {
  commands: string;
  shown: string;
}

/** The text of a page, or of one of its chapters. */
function textOf(page: string, chapter?: string): string {
  const text = readFileSync(join(ROOT, page), 'utf8');
  if (chapter === undefined) return text;
  return text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${chapter}\n`)) ?? '';
}

const BLOCKS = /^```sh\n(.*?)^```\n(?:```json\n(.*?)^```\n)?/gms;

function stepsOf(text: string): Step[] {
  return [...text.matchAll(BLOCKS)].map(([, commands = '', shown = '']) => ({ commands, shown }));
}

const MASKS: readonly [RegExp, string][] = [
  [/eyJ[\w-]+(\.[\w-]+\.[\w-]+|\.\.\.)/g, '<token>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>'],
  [/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, '<uuid>'],
  [/whsec_[\w+/=]+/g, '<secret>'],
  [/"next":"[\w-]+"/g, '"next":"<cursor>"'],
  [/"id":"\d+"/g, '"id":"<position>"'],
];

/** What differs from one run to the next is masked. */
function masked(text: string): string {
  return MASKS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), text);
}

const README = stepsOf(textOf('README.md', 'Call it'));
const TOUR = stepsOf(textOf('docs/tour.md'));

describe('a reader of the README, and then of the tour', () => {
  let folder: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'reader-'));
    service = await ServiceProcess.start({ DATA_DIR: folder });
    await service.until(200, '/health/ready');
    await service.eventually(() => expect(service.lines.join('\n')).toContain('Administrator token'));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** Runs the blocks in one shell, in the folder of a clone. @returns what each of them printed */
  async function run(steps: readonly Step[]): Promise<string[]> {
    const script = steps.map(({ commands }) => `${commands}printf '\\0'\n`).join('');
    const here = script.replaceAll('http://127.0.0.1:3000', service.url);
    const environment = { ...process.env, DATA_DIR: folder };
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', here], { cwd: ROOT, env: environment });
    expect(stderr).toBe('');
    return stdout.split('\0').slice(0, -1);
  }

  it('sees at the start what the README shows', () => {
    const [, shown = ''] = /```\n(Swagger UI: .*?)```/s.exec(textOf('README.md', 'Run it')) ?? [];
    const printed = service.lines.join('\n').replaceAll(service.url, 'http://127.0.0.1:3000');
    expect(masked(`${printed}\n`)).toContain(masked(shown));
  });

  // The chapter "Start over" makes the second time possible.
  it.each(['once', 'once more'])('runs every command %s, and gets the answers that the pages show', async () => {
    const steps = [...README, ...TOUR];
    const printed = await run(steps);
    expect(printed.map(masked)).toEqual(steps.map(({ shown }) => masked(shown)));
  });

  it('finds only blocks of commands, and of what they print', () => {
    const pages = [textOf('README.md', 'Call it'), textOf('docs/tour.md')];
    expect(pages.map((page) => page.replace(BLOCKS, '').match(/^```.*/gm))).toEqual([null, null]);
    expect([README, TOUR].map((steps) => steps.length)).toEqual([5, 13]);
  });
});
