import 'reflect-metadata';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBenchDirectory } from './bench-directory';
import { Contestant } from './contestant';

/**
 * How long the register of a million lines takes, and how much memory of the process, on the server that DATABASE_URL
 * names:
 *
 *     npm run build && DATABASE_URL=postgres://... node -r @swc-node/register bench/access.bench.ts [users]
 */
const TYPES = ['application/x-ndjson', 'text/csv'];
const MIB = 1024 ** 2;
const PROBE_EVERY_MS = 100;

async function measure(server: string, users: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const database = await createBenchDirectory(server, 1_000, users);
  const secret = randomBytes(32).toString('hex');
  const environment = { DATABASE_URL: database.url, JWT_SECRET: secret, STATUS_TOKEN_SECRET: secret };
  const service = await Contestant.start('service', ['dist/main.js'], environment, join(folder, 'service.log'));
  try {
    for (const type of TYPES) {
      const { rss: before } = await service.probe('collect');
      let peak = before;
      const probing = setInterval(() => {
        void service.probe().then(({ rss }) => (peak = Math.max(peak, rss)));
      }, PROBE_EVERY_MS);
      const began = performance.now();
      const { lines, bytes, end } = await read(`http://127.0.0.1:${service.port}/api/access`, type, tokenOf(secret));
      const seconds = (performance.now() - began) / 1_000;
      clearInterval(probing);
      process.stdout.write(
        `${type}: ${lines} lines, ${Math.round(bytes / MIB)} MiB, in ${seconds.toFixed(1)} s; memory of the process ` +
          `${Math.round(before / MIB)} MiB before, ${Math.round(peak / MIB)} MiB at most; it ends with ${end}\n`,
      );
    }
  } finally {
    await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function read(url: string, accept: string, token: string) {
  const response = await fetch(url, { headers: { accept, authorization: `Bearer ${token}` } });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let [lines, bytes, last] = [0, 0, Buffer.alloc(0)];
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    for (const byte of part) if (byte === 10) lines += 1;
    last = Buffer.concat([last, part]).subarray(-1_000);
  }
  return { lines, bytes, end: last.toString().trimEnd().split('\n').at(-1)?.slice(0, 80) };
}

function tokenOf(secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = [
    { alg: 'HS256', typ: 'JWT' },
    { sub: 'admin-1', exp: Math.floor(Date.now() / 1_000) + 3_600 },
  ];
  const signed = content.map(encode).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const { DATABASE_URL } = process.env;
if (DATABASE_URL) void measure(DATABASE_URL, Number(process.argv[2] ?? 500_000));
else process.stderr.write('Set DATABASE_URL to a PostgreSQL server on which databases may be created.\n');
