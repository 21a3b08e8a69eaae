import { type Answer, ask, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { rawRequest } from '../support/raw-http';
import { writeSmallDirectory } from '../support/small-directory';

const service = useTestService();
let authorization: string;

beforeAll(async () => {
  await writeSmallDirectory(service);
  authorization = `Bearer ${service.tokenOf('ada')}`;
});

const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';

describe('the language of an answer', () => {
  const refused = (headers: Record<string, string>): Promise<Answer> =>
    post(service.url + ASSIGN, {}, { authorization, ...headers });

  it.each([
    ['de', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['de-CH', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['de-CH, fr;q=0.9', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['DE-ch', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['fr;q=0, de;q=0.1', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['en;q=0.1, de;q=0.2', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['tlh, de', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['de_DE', 'de', 'Bitte wählen Sie mindestens einen Benutzer aus.'],
    ['zh-TW', 'zh-Hant', '請至少選取一位使用者。'],
    ['zh', 'zh-Hans', '请至少选择一个用户。'],
    ['', 'en', 'Please select at least one user.'],
    ['*', 'en', 'Please select at least one user.'],
    ['tlh', 'en', 'Please select at least one user.'],
    ['fr;q=0', 'en', 'Please select at least one user.'],
    ['en, de', 'en', 'Please select at least one user.'],
    ['__proto__, constructor', 'en', 'Please select at least one user.'],
  ])('follows the Accept-Language header: %p is answered in %s', async (acceptLanguage, language, message) => {
    const answer = await refused({ 'accept-language': acceptLanguage });

    expect(answer.text).toBe(JSON.stringify({ status: 400, message }));
    expect(answer.headers.get('content-language')).toBe(language);
    expect(answer.headers.get('vary')).toBe('Accept-Language, Accept');
  });

  it('is English without an Accept-Language header', async () => {
    const answer = await rawRequest(service.url, `GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer.text).toBe('{"status":404,"message":"There is nothing at this address. Please check the path."}');
    expect(answer.headers.get('content-language')).toBe('en');
  });

  it.each<[string, string, RequestInit, string, boolean?]>([
    [
      'guard',
      ASSIGN,
      { method: 'POST' },
      '{"status":401,"message":"Bitte melden Sie sich mit einem gültigen Token an."}',
    ],
    [
      'guard of manage-status',
      STATUS,
      { method: 'POST' },
      '{"status":"error","message":"Ungültiges Token oder ungültige Benutzer-ID"}',
    ],
    [
      'parser',
      ASSIGN,
      { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } },
      '{"status":400,"message":"Der Inhalt der Anfrage ist kein gültiges JSON. Bitte korrigieren Sie ihn und versuchen Sie es erneut."}',
      true,
    ],
    [
      'type of the body',
      STATUS,
      { method: 'POST', body: 'x' },
      '{"status":"error","message":"Bitte senden Sie den Inhalt der Anfrage als JSON (Content-Type: application/json)."}',
      true,
    ],
    [
      'unknown route',
      '/api/nothing',
      {},
      '{"status":404,"message":"Unter dieser Adresse gibt es nichts. Bitte prüfen Sie den Pfad."}',
    ],
    [
      'unknown verb',
      STATUS,
      { method: 'PUT' },
      '{"status":"error","message":"Diese Methode wird hier nicht unterstützt. Bitte verwenden Sie eine, die der Allow-Header nennt."}',
    ],
  ])('applies to the error of a %s', async (_, path, init, body, isSignedIn = false) => {
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(isSignedIn && { authorization }),
      'accept-language': 'de',
    };
    const answer = await ask(service.url + path, { ...init, headers });

    expect(answer.text).toBe(body);
    expect(answer.headers.get('content-language')).toBe('de');
    expect(answer.headers.get('vary')).toContain('Accept-Language');
  });

  it('applies to the format of numbers', async () => {
    const userIds = Array.from({ length: 10_001 }, (_, n) => `user-${n}`);
    const answer = await post(
      service.url + ASSIGN,
      { userIds, workspaces: ['atlas'] },
      { authorization, 'accept-language': 'de' },
    );

    expect(answer.text).toContain('10.000');
  });

  it('applies to success', async () => {
    const assigned = await post(
      service.url + ASSIGN,
      { userIds: ['ben'], workspaces: ['atlas'] },
      { authorization, 'accept-language': 'fr' },
    );
    expect(assigned.text).toBe('{"status":200,"message":"Utilisateurs affectés aux espaces de travail avec succès."}');
    expect(assigned.headers.get('content-language')).toBe('fr');
    expect(assigned.headers.get('vary')).toContain('Accept-Language');

    const updated = await post(
      service.url + STATUS,
      { id: 'ben', token: service.tokenOf('ada') },
      { authorization, 'accept-language': 'ja' },
    );
    expect(updated.text).toBe('{"status":"success","message":"ユーザーのステータスが正常に更新されました"}');
    expect(updated.headers.get('content-language')).toBe('ja');
  });
});

describe('the X-Request-Id of an answer', () => {
  const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

  it.each([
    '7',
    'req-42',
    '01234567-89ab-cdef-0123-456789abcdef',
    'a'.repeat(128),
    'Root=1-67891233-abcdef012345678912345678',
  ])('is that of the request: %s', async (id) => {
    for (const path of [ASSIGN, STATUS, '/nothing', '/%ff', '/health/live']) {
      expect((await post(service.url + path, {}, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id);
    }
  });

  it.each([
    ['too long', 'a'.repeat(129)],
    ['very long', 'a'.repeat(10_000)],
    ['empty', ''],
    ['with spaces', 'a b'],
    ['with quotes', '"a"'],
    ['with a bracket', '{"level":60}'],
    ['with an escape', 'a\\nb'],
    ['with markup', '<script>'],
    ['with a list', 'a, b'],
    ['with a tab', 'a\tb'],
    ['in Latin', 'ünïcödé'],
    ['with colours', '\x9b31m'],
  ])('is a new one if that of the request is %s', async (_, id) => {
    const { headers } = await post(service.url + ASSIGN, {}, { 'x-request-id': id });
    expect(headers.get('x-request-id')).toMatch(UUID_V7);
  });

  it('is a new one if the request has two', async () => {
    const { headers } = await rawRequest(
      service.url,
      `GET /nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: b\r\nConnection: close\r\n\r\n`,
    );
    expect(headers.get('x-request-id')).toMatch(UUID_V7);
  });

  it('is there even if the headers of the request cannot be read', async () => {
    const { headers } = await rawRequest(
      service.url,
      'GET /nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\x07b\r\nConnection: close\r\n\r\n',
    );
    expect(headers.get('x-request-id')).toMatch(UUID_V7);
  });

  it('is different for every request without one', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask(`${service.url}/nothing`)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
  });
});
