import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createProxy, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from 'jsonwebtoken';
import { post } from '../support/ask';
import { ServiceProcess } from '../support/service-process';
import { useTestDatabase } from '../support/test-database';
import { INSTALLS_WITHIN_MS, node24 } from './node-24';

/** No name server knows a name below `test` (RFC 6761), so only the proxy can lead there. */
const [KEYS, RECEIVER] = ['keys.example.test', 'hooks.example.test'];

const database = useTestDatabase();
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keySet = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] };

let folder: string;
let outside: Server;
let proxy: Server;
/** What the proxy was asked for. */
let asked: string[];
let delivered: () => void;
let delivery: Promise<void>;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeEach(async () => {
  asked = [];
  delivery = new Promise((resolve) => (delivered = resolve));
  folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=example.test'];
  const names = ['-addext', `subjectAltName=DNS:${KEYS},DNS:${RECEIVER}`];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const tls = { key: readFileSync(key), cert: readFileSync(certificate) };
  outside = createTlsServer(tls, (request, response) => {
    if (request.headers.host === RECEIVER) delivered();
    response.end(JSON.stringify(keySet));
  }).listen(0, '127.0.0.1');
  proxy = createProxy().listen(0, '127.0.0.1');
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const tunnel = connect(portOf(outside), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const end of [tunnel, socket]) end.on('error', () => undefined);
  });
  await Promise.all([once(outside, 'listening'), once(proxy, 'listening')]);
});
afterEach(() => {
  for (const server of [outside, proxy]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true });
});

it(
  'key sets and webhooks go through the proxy of NODE_USE_ENV_PROXY, which alone knows their names',
  async () => {
    const { node } = node24();
    const service = await ServiceProcess.start(
      {
        DATABASE_URL: database.url,
        DATABASE_POOL_SIZE: String(database.poolSize),
        JWT_JWKS_URI: `https://${KEYS}/jwks`,
        JWT_SECRET: '',
        STATUS_TOKEN_SECRET: 'a secret for these tests, of more than 32 bytes',
        NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem'),
        NODE_USE_ENV_PROXY: '1',
        HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
        https_proxy: `http://127.0.0.1:${portOf(proxy)}`,
        NO_PROXY: '',
        no_proxy: '',
      },
      undefined,
      node,
    );
    try {
      await service.until(200, '/health/ready');
      const claims = { sub: 'onboarding', client_id: 'onboarding', scope: 'users:administer' };
      const token = sign(claims, privateKey, { algorithm: 'ES256', keyid: 'one', expiresIn: 60 });
      const headers = { authorization: `Bearer ${token}` };
      const webhook = { url: `https://${RECEIVER}/`, events: ['user.created'] };
      expect((await post(`${service.url}/api/webhooks`, webhook, headers)).status).toBe(201);
      expect((await post(`${service.url}/api/users`, { id: 'ben' }, headers)).status).toBe(201);
      await delivery;
    } finally {
      await service.stop();
    }
    expect([...new Set(asked)]).toEqual([`${KEYS}:443`, `${RECEIVER}:443`]);
  },
  INSTALLS_WITHIN_MS,
);
