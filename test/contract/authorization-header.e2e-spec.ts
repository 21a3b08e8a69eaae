import { type Answer, post, UNAUTHENTICATED } from '../support/ask';
import { useTestService } from '../support/test-service';
import { rawRequest } from '../support/raw-http';
import { ADMITTED } from '../support/token-trial';

const service = useTestService();
let right: string;

/** The challenge to a caller whose token is not valid (RFC 6750 section 3.1). */
const INVALID = 'Bearer error="invalid_token"';

beforeAll(async () => {
  await service.directory.user('ada', { type: 'administrator' });
  right = service.tokenOf('ada');
});

describe('the authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('can have the scheme %s', async (scheme) => {
    expect((await withAuthorization(`${scheme} ${right}`)).text).toBe(ADMITTED);
  });
  it.each<[string, (token: string) => string]>([
    ['empty', () => ''],
    ['a scheme without a token', () => 'Bearer'],
    ['a token without a scheme', (token) => token],
    ['another scheme', (token) => `Basic ${token}`],
    ['the scheme DPoP', (token) => `DPoP ${token}`],
    ['a scheme that begins with Bearer', (token) => `BearerX ${token}`],
    ['a scheme with a comma', (token) => `Bearer,${token}`],
    ['a token with text after it', (token) => `Bearer ${token} ${token}`],
    ['a list of two tokens', (token) => `Bearer ${token}, Bearer ${token}`],
    ['a whole header after the scheme', (token) => `Bearer Bearer ${token}`],
    ['a scheme with text before it', (token) => `Basic Bearer ${token}`],
    ['a token in quotes', (token) => `Bearer "${token}"`],
  ])('cannot be %s', async (_, header) => {
    const { text, headers } = await withAuthorization(header(right));
    expect(text).toBe(UNAUTHENTICATED);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is answered that its token is not valid, or that one is needed', async () => {
    const challenge = async (authorization: string, path: string) => {
      const { status, headers } = await post(service.url + path, {}, { authorization });
      return [status, headers.get('www-authenticate')];
    };
    const sent = [right, service.tokenOf('nobody'), service.tokenOf('ada', { expiresIn: -60 }), 'x'];
    for (const token of sent) {
      expect(await challenge(`Bearer ${token}`, '/api/users/manage-status')).toEqual([401, INVALID]);
      if (token === right) continue;
      expect(await challenge(`Bearer ${token}`, '/api/users/workspace-assign')).toEqual([401, INVALID]);
    }
    expect(await challenge('', '/api/users/manage-status')).toEqual([401, 'Bearer']);
  });

  it('cannot be repeated, because it would be ambiguous', async () => {
    const [good, bad] = [`Bearer ${right}`, 'Bearer nonsense'];
    for (const headers of [
      [good, bad],
      [bad, good],
      [good, good],
    ]) {
      const lines = headers.map((value) => `Authorization: ${value}\r\n`).join('');
      const answer = await rawRequest(
        service.url,
        `POST /api/users/workspace-assign HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.text).toBe(UNAUTHENTICATED);
    }
  });

  it('cannot be replaced by a token in another place', async () => {
    const answer = await post(
      `${service.url}/api/users/workspace-assign?access_token=${right}&auth_token=${right}`,
      { access_token: right, auth_token: right },
      { cookie: `access_token=${right}`, 'x-access-token': right },
    );
    expect(answer.text).toBe(UNAUTHENTICATED);
  });
});

function withAuthorization(authorization: string): Promise<Answer> {
  return post(`${service.url}/api/users/workspace-assign`, {}, { authorization });
}
