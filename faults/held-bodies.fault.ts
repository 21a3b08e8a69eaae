import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { sign } from 'jsonwebtoken';
import { Administrators } from './administrators';
import { Crowd, type Behaviour } from './crowd';
import { judgeMemory } from './judge-memory';
import { PrivatePostgres } from '../test/support/private-postgres';
import { FaultyService } from './service-process';
import { rounds, Trial } from './trial';
import { fillDirectory } from './writers';

const PAIRS = 50_000;
const SECONDS = 40;
const PER_SECOND = 400;

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Says of each token that it is a client's own. */
function token(sub: string, kid: string): string {
  return sign({ sub, client_id: sub, scope: 'users:administer' }, privateKey, {
    algorithm: 'RS256',
    keyid: kid,
    expiresIn: '1h',
  });
}

/** Publishes the key once, and answers nobody after that. */
function publishOnce(): Server {
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'known', use: 'sig', alg: 'RS256' }];
  let isPublished = false;
  return createServer((_, response) => {
    if (!isPublished) response.end(JSON.stringify({ keys }));
    isPublished = true;
  });
}

interface Held {
  version?: '1.0' | '1.1';
  headers?: string[];
  begin?: Buffer;
}

/** Announces a body, sends no more than its beginning, and takes the answer. */
function hold({ version = '1.1', headers = [], begin }: Held): Behaviour {
  const head = Buffer.from(
    [
      `POST /api/users/workspace-assign HTTP/${version}`,
      'Host: x',
      'Content-Type: application/json',
      'Content-Length: 60000',
      ...headers,
      '\r\n',
    ].join('\r\n'),
  );
  const bytes = begin ? Buffer.concat([head, begin]) : head;
  return (socket) => {
    socket.resume();
    socket.write(bytes);
  };
}

const CUT_OFF = gzipSync(Buffer.alloc(16 * 1024 * 1024, ' ')).subarray(0, 16_000);

async function main(): Promise<void> {
  const count = rounds(2_000);
  const trial = new Trial(
    `${count} connections announce bodies that never come, up to ${PER_SECOND} new ones a second, for ${SECONDS} s`,
  );
  const postgres = await PrivatePostgres.running();
  const keySet = publishOnce().listen(0, '127.0.0.1');
  await once(keySet, 'listening');
  const service = await FaultyService.ready(
    {
      DATABASE_URL: postgres.url,
      JWT_SECRET: '',
      JWT_JWKS_URI: `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/`,
    },
    token('administrator', 'known'),
  );
  await fillDirectory(postgres.url, PAIRS);
  (await Administrators.alone(service, PAIRS)).judge(trial, 'alone');
  const before = await service.memory();

  const guest = `Authorization: Bearer ${token('0a', 'known')}`;
  const unknown = `Authorization: Bearer ${token('administrator', 'unknown')}`;
  const crowd = new Crowd(service.port, count, PER_SECOND, [
    hold({}),
    hold({ version: '1.0' }),
    hold({ headers: ['Connection: close'] }),
    hold({ headers: [guest, 'Content-Encoding: gzip'], begin: CUT_OFF }),
    hold({ headers: [guest, 'Content-Encoding: gzip', 'Connection: close'], begin: CUT_OFF }),
    hold({ headers: [unknown] }),
    hold({ headers: [unknown, 'Connection: close'] }),
  ]);
  const beside = await Administrators.during(() => delay(SECONDS * 1_000), service, PAIRS);
  beside.judge(trial, 'beside them');
  trial.expect('connections opened', crowd.opened >= count, `${crowd.opened}, ${crowd.count} of them at the end`);
  await crowd.leave();
  await judgeMemory(trial, service, before);
  trial.finish();
}

void main();
