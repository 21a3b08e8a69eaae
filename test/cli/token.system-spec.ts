import { generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from 'jsonwebtoken';
import { TokenVerifier } from '@user-administration/access-tokens';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { loadConfig } from '../../src/load-config';
import { type Outcome, UserAdmin } from './user-admin';

const JWT_SECRET = 'a secret for these tests, of more than 32 bytes';

describe('user-admin token', () => {
  let tool: UserAdmin;
  afterEach(() => tool.dispose());

  it('prints one token that the service accepts, and nothing else', async () => {
    const environment = { JWT_SECRET, JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'directory' };
    tool = new UserAdmin(environment);
    const outcome = await tool.run(['token', '--sub', 'ada', '--scope', 'users:administer b', '--expires-in', '60']);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);

    const token = outcome.stdout.trim();
    const tokens = new TokenVerifier(loadConfig({ ...environment, DATA_DIR: tool.folder }).accessTokens);
    expect(await tokens.verify(token)).toMatchObject({
      subject: 'ada',
      userId: 'ada',
      scopes: ['users:administer', 'b'],
    });
    const { header, payload } = verify(token, JWT_SECRET, { complete: true });
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt' });
    const { iat, ...claims } = payload as { iat: number };
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
    expect(claims).toEqual({
      iss: 'https://issuer.example',
      aud: 'directory',
      sub: 'ada',
      scope: 'users:administer b',
      exp: iat + 60,
      jti: expect.any(String),
    });
  });

  it('needs the key in production, and no database', async () => {
    tool = new UserAdmin({ NODE_ENV: 'production', JWT_SECRET });
    const { stdout, ...outcome } = await tool.run(['token', '--sub', 'ada']);
    expect(outcome).toEqual({ exitCode: 0, stderr: '' });
    expect(verify(stdout.trim(), JWT_SECRET)).toMatchObject({ sub: 'ada' });

    const { exitCode, stderr } = await tool.run(['token', '--sub', 'ada'], '', { JWT_SECRET: '' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'Set one of JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URI: production does not generate a key.',
    );
    expect(stderr).not.toContain('DATABASE_URL');
  });

  it('signs for an hour with the secret in DATA_DIR, which it generates if there is none', async () => {
    tool = new UserAdmin({ DATA_DIR: 'data' });
    const { stdout } = await tool.run(['token', '--sub', 'ada']);
    const { accessTokens } = loadConfig({ DATA_DIR: join(tool.folder, 'data') });
    const secret = accessTokens.key.kind === 'secret' ? accessTokens.key.secret : '';
    const { iat, exp } = verify(stdout.trim(), secret) as { iat: number; exp: number };
    expect(exp - iat).toBe(3600);
    expect(statSync(join(tool.folder, 'data')).mode & 0o077).toBe(0);
  });

  it('reports that it cannot sign if tokens are verified by a public key', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const JWT_PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    tool = new UserAdmin({ JWT_PUBLIC_KEY });
    expect(await tool.run(['token', '--sub', 'ada'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'user-admin: Access tokens are verified by a public key here, so only the holder of its private key can sign one.\n',
    });
  });

  it('explains wrong options', async () => {
    tool = new UserAdmin({ JWT_SECRET });
    const calls: [string[], string][] = [
      [['--sub', 'ada', '--expires-in', '1e3'], 'a whole number of seconds from 1'],
      [['--sub', 'ada', '--scope', 'a  b'], 'separated by single spaces'],
      [[], "required option '--sub <userId>' not specified"],
    ];
    for (const [options, complaint] of calls) {
      const outcome: Outcome = await tool.run(['token', ...options]);
      expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
      expect(outcome.stderr).toMatch(/^error: .*\n\(--help shows the usage\)\n$/);
      expect(outcome.stderr).toContain(complaint);
    }
  });
});

describe('a signed access token', () => {
  it('has a scope, an issuer and an audience only if they are given', () => {
    const { accessTokens } = loadConfig({ JWT_SECRET, DATA_DIR: '/nowhere' });
    const payload = verify(signAccessToken(accessTokens, { sub: 'ada' }), JWT_SECRET);
    expect(Object.keys(payload).sort()).toEqual(['exp', 'iat', 'jti', 'sub']);
  });

  it('is accepted by a service with other names of claims and lists of issuers and audiences', async () => {
    const config = loadConfig({
      JWT_SECRET,
      JWT_ISSUER: 'https://one.example/,https://two.example/',
      JWT_AUDIENCE: 'directory,api://users',
      JWT_USER_CLAIM: 'oid',
      JWT_SCOPE_CLAIM: 'scp',
    });
    const token = signAccessToken(config.accessTokens, { sub: 'ada', scope: 'a b' });
    expect(verify(token, JWT_SECRET)).toMatchObject({
      iss: 'https://one.example/',
      aud: 'directory',
      sub: 'ada',
      oid: 'ada',
      scp: 'a b',
    });
    const accepted = await new TokenVerifier(config.accessTokens).verify(token);
    expect(accepted).toMatchObject({ subject: 'ada', userId: 'ada', scopes: ['a', 'b'] });
  });
});
