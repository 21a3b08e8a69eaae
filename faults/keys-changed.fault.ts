import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { SignJWT } from 'jose';
import { JwksEndpoint } from '../packages/access-tokens/test/jwks-endpoint';
import { PrivatePostgres } from '../test/support/private-postgres';
import { Balancer } from './balancer';
import { call, type Reply } from './call';
import { FaultyService } from './service-process';
import { Trial } from './trial';
import { until } from './until';
import { fillDirectory, tally } from './writers';

// Each step is one of "Keys that change" in docs/run.md.
const CALLERS = 4;
const ANSWERS_A_STEP = 100;
/** How many status tokens a caller keeps before it uses the oldest one: more than one step makes. */
const KEPT = 60;
const JSON_OF_STATUS = { status: 'active', expiresIn: 3_600 };

const secret = () => randomBytes(32).toString('hex');
const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
const jwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' });

/** An access token of a calling service, by an implementation of JWT that is not ours. */
function tokenBy(key: string | KeyObject, kid?: string): Promise<string> {
  const signer = new SignJWT({ sub: 'walk', client_id: 'walk', scope: 'users:administer' }).setExpirationTime('1h');
  const header = typeof key === 'string' ? { alg: 'HS256' } : { alg: 'RS256', ...(kid && { kid }) };
  return signer.setProtectedHeader(header).sign(typeof key === 'string' ? Buffer.from(key) : key);
}

/** Two processes behind a balancer, and callers that make status tokens, keep them, and use them. */
class Walk {
  readonly replies: Reply[] = [];
  readonly broken: unknown[] = [];
  private readonly agent = new Agent({ keepAlive: false });
  private stopping = false;
  private work: Promise<void>[] = [];

  private constructor(
    private readonly environment: Record<string, string>,
    private readonly services: FaultyService[],
    private readonly balancer: Balancer,
    private readonly tokens: string[],
  ) {}

  static async begin(environment: Record<string, string>, token: string): Promise<Walk> {
    const services = [await FaultyService.ready(environment, token), await FaultyService.ready(environment, token)];
    const balancer = await Balancer.over(services.map(({ port }) => port));
    const walk = new Walk(environment, services, balancer, [token]);
    walk.work = Array.from({ length: CALLERS }, (_, index) => walk.call(index));
    await walk.served();
    return walk;
  }

  /** Restarts every process with these variables, one after the other. */
  async restart(variables: Record<string, string | undefined>): Promise<void> {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) delete this.environment[name];
      else this.environment[name] = value;
    }
    for (const service of this.services) {
      this.balancer.setReady(service.port, false);
      await service.end('SIGTERM');
      service.start();
      await service.until('/health/ready', 200);
      this.balancer.setReady(service.port, true);
    }
    await this.served();
  }

  /** The issuer signs with the new key. Tokens by the old one are still valid. */
  async issue(token: string): Promise<void> {
    this.tokens.push(token);
    await this.served();
  }

  /** The last token by the old key expires. */
  expire(): string {
    return this.tokens.shift() as string;
  }

  /** Waits until every token that is kept now has been used. */
  async served(answers = ANSWERS_A_STEP): Promise<void> {
    const enough = this.replies.length + answers;
    await until('answers', () => this.replies.length >= enough);
  }

  async refuses(token: string): Promise<boolean> {
    return (await call(`${this.balancer.url}/api/me`, { token, agent: this.agent })).status === 401;
  }

  async end(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.work);
    await Promise.all(this.services.map((service) => service.end('SIGTERM')));
  }

  private async call(caller: number): Promise<void> {
    const kept: string[] = [];
    const id = `${caller}a`;
    for (let turn = 0; !this.stopping; turn++) {
      const token = this.tokens[turn % this.tokens.length] as string;
      try {
        const made = await this.post('status-tokens', token, { id, ...JSON_OF_STATUS });
        kept.push((JSON.parse(made.text) as { token: string }).token);
        if (kept.length > KEPT) await this.post('manage-status', token, { id, token: kept.shift() });
      } catch (error) {
        this.broken.push(error);
      }
    }
  }

  private async post(path: string, token: string, body: object): Promise<Reply> {
    const options = { token, body: JSON.stringify(body), agent: this.agent };
    const reply = await call(`${this.balancer.url}/api/users/${path}`, options);
    this.replies.push(reply);
    return reply;
  }
}

/** Walks through the change of one key, and judges what callers were told meanwhile. */
async function change(
  trial: Trial,
  name: string,
  environment: Record<string, string>,
  first: string,
  steps: (walk: Walk) => Promise<string>,
): Promise<void> {
  const walk = await Walk.begin(environment, first);
  const expired = await steps(walk);
  trial.expect(`${name}: the old key is refused afterwards`, await walk.refuses(expired), 401);
  await walk.end();
  const refused = walk.replies.filter(({ status }) => status !== 200);
  trial.expect(`${name}: refused`, refused.length === 0, `${refused.length} of ${tally(walk.replies)}`);
  trial.expect(`${name}: without an answer`, walk.broken.length === 0, walk.broken.length);
}

async function main(): Promise<void> {
  const trial = new Trial('each key is changed, step by step, under callers of two processes behind a balancer');
  const postgres = await PrivatePostgres.running();
  const own = { DATABASE_URL: postgres.url, STATUS_TOKEN_SECRET: secret() };
  const environment = () => ({ ...own });
  await fillDirectoryAfterMigration(postgres.url, environment());

  const [old, next] = [secret(), secret()];
  await change(trial, 'JWT_SECRET', { ...environment(), JWT_SECRET: old }, await tokenBy(old), async (walk) => {
    await walk.restart({ JWT_SECRET_PREVIOUS: next });
    await walk.restart({ JWT_SECRET: next, JWT_SECRET_PREVIOUS: old });
    await walk.issue(await tokenBy(next));
    const expired = walk.expire();
    await walk.restart({ JWT_SECRET_PREVIOUS: undefined });
    return expired;
  });

  await change(
    trial,
    'STATUS_TOKEN_SECRET',
    { ...environment(), JWT_SECRET: old },
    await tokenBy(old),
    async (walk) => {
      const later = secret();
      await walk.restart({ STATUS_TOKEN_SECRET_PREVIOUS: later });
      await walk.restart({ STATUS_TOKEN_SECRET: later, STATUS_TOKEN_SECRET_PREVIOUS: own.STATUS_TOKEN_SECRET });
      await walk.served(2 * CALLERS * KEPT + ANSWERS_A_STEP);
      await walk.restart({ STATUS_TOKEN_SECRET_PREVIOUS: undefined });
      return tokenBy(next);
    },
  );

  const [one, other] = [keyPair(), keyPair()];
  const onlyOld = { ...environment(), JWT_SECRET: '', JWT_PUBLIC_KEY: pem(one.publicKey) };
  await change(trial, 'JWT_PUBLIC_KEY', onlyOld, await tokenBy(one.privateKey), async (walk) => {
    await walk.restart({ JWT_PUBLIC_KEY: pem(one.publicKey) + pem(other.publicKey) });
    await walk.issue(await tokenBy(other.privateKey));
    const expired = walk.expire();
    await walk.restart({ JWT_PUBLIC_KEY: pem(other.publicKey) });
    return expired;
  });

  const keySet = await JwksEndpoint.open(jwk(one.publicKey, 'one'));
  const fetched = { ...environment(), JWT_SECRET: '', JWT_JWKS_URI: keySet.url };
  await change(trial, 'JWT_JWKS_URI', fetched, await tokenBy(one.privateKey, 'one'), async (walk) => {
    keySet.publish(jwk(one.publicKey, 'one'), jwk(other.publicKey, 'two'));
    await walk.issue(await tokenBy(other.privateKey, 'two'));
    const expired = walk.expire();
    keySet.publish(jwk(other.publicKey, 'two'));
    // Keys that are cached are forgotten at the latest by a restart.
    await walk.restart({});
    return expired;
  });
  await keySet.down();
  trial.finish();
}

/** The first process migrates. */
async function fillDirectoryAfterMigration(url: string, environment: Record<string, string>): Promise<void> {
  const service = await FaultyService.ready(environment);
  await fillDirectory(url, CALLERS);
  await service.end('SIGTERM');
}

void main();
