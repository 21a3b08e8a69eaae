import { type Answer, post, UNAUTHENTICATED } from '../support/ask';
import { type ContractService, startContractService } from '../support/contract-service';
import { rawRequest } from '../support/raw-http';
import { ADMITTED } from '../support/token-trial';

let service: ContractService;
let right: string;

beforeAll(async () => {
  service = await startContractService();
  await service.directory.user('ada', { type: 'administrator' });
  right = service.tokenOf('ada');
});
afterAll(() => service.close());

describe('the authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is read with the scheme spelled %s', async (scheme) => {
    expect((await withAuthorization(`${scheme} ${right}`)).text).toBe(ADMITTED);
  });
  it.each<[string, (token: string) => string]>([
    ['empty', () => ''],
    ['a scheme alone', () => 'Bearer'],
    ['a token alone', (token) => token],
    ['another scheme', (token) => `Basic ${token}`],
    ['the scheme of a proof', (token) => `DPoP ${token}`],
    ['a scheme that only begins so', (token) => `BearerX ${token}`],
    ['a comma', (token) => `Bearer,${token}`],
    ['something behind the token', (token) => `Bearer ${token} ${token}`],
    ['a list of two', (token) => `Bearer ${token}, Bearer ${token}`],
    ['something before the scheme', (token) => `Basic Bearer ${token}`],
    ['quotes', (token) => `Bearer "${token}"`],
  ])('is refused: %s', async (_, header) => {
    expect((await withAuthorization(header(right))).text).toBe(UNAUTHENTICATED);
  });

  it('is refused if it is repeated, in any order, because it would be ambiguous', async () => {
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

  it('is not looked for elsewhere', async () => {
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
