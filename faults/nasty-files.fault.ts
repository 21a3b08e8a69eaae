import { PrivatePostgres } from '../test/support/private-postgres';
import { call } from './call';
import { FaultyService } from './service-process';
import { Trial } from './trial';

const MIB = 1024 * 1024;
const [NDJSON, CSV] = ['application/x-ndjson', 'text/csv'];
const MOST_TURN_MS = 100;
const MOST_MEMORY = 150 * MIB;

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'));
const user = JSON.stringify({ user: { id: 'nia', workspaces: ids(110_000) } });

/** What is sent, and how it is answered. */
const FILES: [name: string, type: string, body: string, status: number][] = [
  ['line breaks', NDJSON, '\n'.repeat(16 * MIB), 400],
  ['line breaks below a header', CSV, `id\n${'\n'.repeat(16 * MIB - 3)}`, 400],
  ['rows of separators', CSV, `id,email\n${',\n'.repeat(8 * MIB - 9)}`, 400],
  ['rows of quoted blanks', CSV, `id,email\n${'"",\n'.repeat(4 * MIB - 9)}`, 400],
  ['a header of commas', CSV, ','.repeat(16 * MIB), 400],
  ['a row of commas', CSV, `id\n${','.repeat(MIB - 1)}\n`, 400],
  ['a quote that is never closed', CSV, `id\n"${'a\n'.repeat(8 * MIB - 9)}`, 400],
  ['nested JSON', NDJSON, `{"user":${'['.repeat(MIB - 9)}`, 400],
  ['cells of many ids', CSV, `id,groups\n${`nia,${ids(140_000).join('|')}\n`.repeat(4)}`, 400],
  ['lines of many ids', NDJSON, `${user}\n`.repeat(4), 400],
];

/** Sends files that are made to cost much, and measures what they cost everybody else. */
async function main(): Promise<void> {
  const trial = new Trial(`${FILES.length} nasty files`);
  const postgres = await PrivatePostgres.running();
  const service = await FaultyService.ready({ DATABASE_URL: postgres.url });
  const { token } = service;
  const send = (type: string, body: string) => call(`${service.url}/api/imports`, { body, token, type, withinMs: 0 });
  // Compiles the code, which is no cost of a file.
  await send(CSV, `id\n${'\n'.repeat(16 * MIB - 3)}`);
  const { rss } = await service.memory();
  for (const [name, type, body, status] of FILES) {
    await service.burden();
    const reply = await send(type, body);
    const { longestTurn } = await service.burden();
    trial.expect(`${name}: the answer`, reply.status === status, `${reply.status} ${reply.text.slice(0, 80)}`);
    trial.expect(`${name}: the longest turn, ms of CPU`, longestTurn < MOST_TURN_MS, Math.round(longestTurn));
  }
  const { peak } = await service.burden();
  trial.expect(
    'memory at most, MiB',
    peak - rss < MOST_MEMORY,
    `${Math.round(peak / MIB)}; before: ${Math.round(rss / MIB)}`,
  );
  trial.finish();
}

void main();
