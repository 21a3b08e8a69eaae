import type { Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';
import { problemsOf, SECRET } from './problems-of';

const KEYED: Environment = { JWT_SECRET: SECRET };

describe('PORT', () => {
  it.each(['0', '1', '65535', '080', '008080'])('can be %s', (port) => {
    expect(loadConfig({ ...KEYED, PORT: port }).port).toBe(Number(port));
  });

  it.each(['-1', '65536', '3000.5', '3e3', '0x50', ' 80', '80 ', 'http', '٣', '9'.repeat(400)])(
    'cannot be %j',
    (port) => {
      expect(problemsOf({ ...KEYED, PORT: port })).toEqual(['PORT must be a whole number from 0 to 65535.']);
    },
  );
});

describe('HOST', () => {
  it.each([
    '127.0.0.1',
    '::',
    '::1',
    'fe80::1%eth0',
    'localhost',
    'user-administration.internal',
    'db_1',
    '10.example',
  ])('can be %s', (host) => {
    expect(loadConfig({ ...KEYED, HOST: host }).host).toBe(host);
  });

  it.each(['bad host', ' ', '300.1.1.1', '127.1', '8080', '[::1]', 'localhost:80', 'http://localhost', '-a', 'a..b'])(
    'cannot be %j',
    (host) => {
      expect(problemsOf({ ...KEYED, HOST: host })).toEqual(['HOST must be an IP address or a host name.']);
    },
  );

  it('cannot be longer than a host name or one of its labels can be', () => {
    const label = 'a'.repeat(63);
    expect(problemsOf({ ...KEYED, HOST: [label, label, label, 'a'.repeat(61)].join('.') })).toEqual([]);
    expect(problemsOf({ ...KEYED, HOST: [label, label, label, 'a'.repeat(62)].join('.') })).toHaveLength(1);
    expect(problemsOf({ ...KEYED, HOST: 'a'.repeat(64) })).toHaveLength(1);
  });
});

describe('PUBLIC_URL', () => {
  it.each([
    ['https://intranet.example/users-admin', 'https://intranet.example/users-admin'],
    ['https://intranet.example/users-admin/', 'https://intranet.example/users-admin'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['HTTPS://Users.Example:443//', 'https://users.example'],
    ['https://users.example/a>b', 'https://users.example/a%3Eb'],
    ['', ''],
  ])('can be %j', (url, read) => {
    expect(loadConfig({ ...KEYED, PUBLIC_URL: url }).publicUrl).toBe(read);
  });

  it.each([
    '/users-admin',
    'users.example/admin',
    '//users.example',
    'https:users.example',
    'https:///users.example',
    'https://',
    'ftp://users.example',
    'javascript:alert(1)',
    'https://users.example/?',
    'https://users.example/?a=b',
    'https://users.example/#',
    'https://ada:secret@users.example',
    'https://ada@users.example',
    'https://users.example/a b',
    ' https://users.example',
    'https://users.example\\admin',
    'https://users.example:99999',
    'https://users.example/\r\nX-Evil: 1',
  ])('cannot be %j', (url) => {
    expect(problemsOf({ ...KEYED, PUBLIC_URL: url })).toEqual([
      'PUBLIC_URL must be an absolute http or https URL without credentials, query or fragment.',
    ]);
  });
});
