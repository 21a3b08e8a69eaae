import { generateKeyPairSync } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { ask, UNAUTHENTICATED } from '../support/ask';
import { inSeconds } from '../support/forged-tokens';
import { claims, SECRET, signed, startTokenTrial, type TokenTrial } from '../support/token-trial';

const SCOPE = 'users:administer';

/** Claims of a subject without a record in the directory. */
const robot = (changed: object): JWTPayload => claims({ sub: 'robot', ...changed });

let trial: TokenTrial;
afterEach(() => trial.close());

describe('with JWT_SECRET', () => {
  it('the scope makes a service only of subjects in JWT_SERVICE_SUBJECTS, if that is set', async () => {
    trial = await startTokenTrial({ JWT_SECRET: SECRET, JWT_SERVICE_SUBJECTS: 'nightly-sync, robot' });
    await trial.expectAccepted(await signed(robot({ scope: SCOPE })));
    await trial.expectRefused(await signed(robot({ sub: 'somebody', client_id: 'somebody', scope: SCOPE })));
    await trial.expectAccepted(await signed(claims()));
  });
});

describe('with JWT_PUBLIC_KEY', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const JWT_PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const by = (payload: JWTPayload): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  const start = (environment: Record<string, string> = {}): Promise<TokenTrial> =>
    startTokenTrial({ JWT_SECRET: '', JWT_PUBLIC_KEY, ...environment }, () =>
      by(claims({ email: 'ada', email_verified: true })),
    );

  it('only a client that acts for itself, and has no record, is a service', async () => {
    trial = await start({ JWT_SERVICE_SUBJECTS: 'listed' });
    for (const proof of [{ client_id: 'robot' }, { sub: 'listed' }]) {
      await trial.expectAccepted(await by(robot({ scope: SCOPE, ...proof })));
      await trial.expectRefused(await by(robot({ scope: 'openid', ...proof })));
    }
    await trial.expectRefused(await by(robot({ scope: SCOPE, client_id: 'web', azp: 'web', cid: 'web' })));

    // A record always wins: no claim makes a service, or an administrator, of a user.
    const service = { scope: SCOPE, client_id: 'dee', gty: 'client-credentials', idtyp: 'app' };
    await trial.service.directory.user('dee', { type: 'administrator', status: 'inactive' });
    await trial.expectRefused(await by(claims({ sub: 'dee', ...service })));
    await trial.service.dataSource.query(`UPDATE users SET status = 'active' WHERE id = 'dee'`);
    await trial.expectAccepted(await by(claims({ sub: 'dee', ...service })));
  });

  it('JWT_USER_CLAIM and JWT_SCOPE_CLAIM name other claims for the user and the scopes', async () => {
    trial = await start({ JWT_USER_CLAIM: 'email', JWT_SCOPE_CLAIM: 'roles', JWT_ADMIN_SCOPE: 'administrator' });
    const inAnHour = { exp: inSeconds(3_600), iat: inSeconds(0) };
    await trial.expectAccepted(await by({ sub: 'x', email: 'ada', ...inAnHour }));
    await trial.expectRefused(await by({ sub: 'ada', ...inAnHour }));
    await trial.expectRefused(await by({ sub: 'x', email: 'ada', email_verified: false, ...inAnHour }));
    const service = { sub: 'robot', client_id: 'robot', ...inAnHour };
    await trial.expectAccepted(await by({ ...service, roles: ['reader', 'administrator'] }));
    await trial.expectRefused(await by({ ...service, scope: 'administrator' }));
  });

  it('is a user if its subject is the id of a record, even if another claim names users', async () => {
    trial = await start({ JWT_USER_CLAIM: 'email' });
    const who = async (subject: string) => {
      const token = await by({ sub: subject, client_id: subject, scope: SCOPE, exp: inSeconds(300) });
      const { status, text } = await ask(`${trial.service.url}/api/me`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return status === 200 ? (JSON.parse(text) as { kind: string; administrator: boolean }) : text;
    };
    expect(await who('robot')).toEqual({ kind: 'service', id: 'robot', administrator: true });
    expect(await who('ben')).toMatchObject({ kind: 'user', id: 'ben', administrator: false });
    expect(await who('cyd')).toBe(UNAUTHENTICATED);
  });
});
