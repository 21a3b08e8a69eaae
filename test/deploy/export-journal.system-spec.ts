import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ask, post } from '../support/ask';
import { eventually } from '../support/eventually';
import { useTestService } from '../support/test-service';

const DEPLOY = join(__dirname, '../../deploy');

const service = useTestService();
const folder = mkdtempSync(join(tmpdir(), 'export-'));
const token = join(folder, 'token');
const state = mkdtempSync(join(tmpdir(), 'exported-'));
let exporter: ChildProcess;
let errors: string;
afterAll(() => {
  exporter.kill('SIGKILL');
  for (const each of [folder, state]) rmSync(each, { recursive: true });
});

/** What the unit starts, with its variables. */
function start(): void {
  const unit = readFileSync(join(DEPLOY, 'user-admin-journal.service'), 'utf8');
  const [, program = ''] = /^ExecStart=\S+ \S+\/(deploy\/\S+)$/m.exec(unit) ?? [];
  const given: Record<string, string> = { USER_ADMINISTRATION_URL: service.url, TOKEN_FILE: token };
  const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name as string);
  expect(names.sort()).toEqual(Object.keys(given).sort());
  const environment = { ...given, STATE_DIRECTORY: state };
  exporter = spawn(process.execPath, [join(DEPLOY, basename(program))], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  errors = '';
  exporter.stderr?.on('data', (text) => (errors += String(text)));
}

async function create(...ids: string[]): Promise<void> {
  const headers = { authorization: `Bearer ${service.serviceToken()}` };
  for (const id of ids) expect((await post(`${service.url}/api/users`, { id }, headers)).status).toBe(201);
}

const files = () => readdirSync(state).filter((name) => name.endsWith('.ndjson'));
const exported = () => files().flatMap((name) => readFileSync(join(state, name), 'utf8').split('\n').filter(Boolean));
const point = () => JSON.parse(readFileSync(join(state, 'point.json'), 'utf8')) as { next: string };

async function entries(): Promise<string[]> {
  const headers = { authorization: `Bearer ${service.serviceToken()}` };
  const { text } = await ask(`${service.url}/api/journal?limit=100`, { headers });
  const { entries: all } = JSON.parse(text) as { entries: object[] };
  return all.reverse().map((entry) => JSON.stringify(entry));
}

it('exports every entry once, also those that were written before it began or while it was away, and reads its token again', async () => {
  writeFileSync(token, 'expired\n');
  await create('zoe');
  start();
  await eventually(() => expect(errors).toContain('401 Please sign in with a valid token.'));
  writeFileSync(token, `${service.serviceToken()}\n`);
  await create('ada', 'ben');
  await eventually(async () => expect(exported()).toEqual(await entries()));

  exporter.kill('SIGKILL');
  await once(exporter, 'close');
  // Most of a page, which the crash left.
  appendFileSync(join(state, files()[0] as string), `{"id":"1"}\n{"id":"${'x'.repeat(10_000)}`);
  await create('cyd', 'dee');
  start();
  await eventually(async () => expect(exported()).toEqual(await entries()));
  await create('eve');
  await eventually(async () => expect(exported()).toEqual(await entries()));
  expect(exported()).toHaveLength(6);
});

it('ends, and writes nothing, where the journal cannot go on', async () => {
  exporter.kill('SIGKILL');
  await once(exporter, 'close');
  const before = exported();
  writeFileSync(join(state, 'point.json'), JSON.stringify({ ...point(), next: 'of-another-journal' }));
  start();
  expect(await once(exporter, 'close')).toEqual([1, null]);
  expect(errors).toMatch(/Error: 4(00|10) /);
  expect(exported()).toEqual(before);
});
