import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/config/config';
import { serversIn } from '@user-administration/postgres/settings';
import { ConfigError, type Environment } from '../../src/config/environment';
import { loadConfig } from '../../src/load-config';

const KEYED = { JWT_SECRET: 'a secret for these tests, of more than 32 bytes' };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'database-config-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const load = (environment: Environment): Config => loadConfig({ ...KEYED, ...environment });

function problemsOf(environment: Environment): readonly string[] {
  try {
    load(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('DATABASE_URL', () => {
  it.each([
    'postgres://db/directory',
    'postgresql://user:p%40ss@db.example.com:5433/directory?sslmode=require',
    'postgres:///directory?host=/var/run/postgresql',
  ])('can be %s', (url) => {
    expect(load({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each(['db.example.com', 'http://db/directory', '//db/directory', 'postgres'])('cannot be %s', (url) => {
    expect(problemsOf({ DATABASE_URL: url })).toHaveLength(1);
  });
});

describe('the parameters of DATABASE_URL', () => {
  const problemsWith = (query: string) => problemsOf({ DATABASE_URL: `postgres://db/directory?${query}` });

  it.each([
    'application_name=x&fallback_application_name=y&connect_timeout=10&options=-c%20geqo%3Doff',
    'host=db.example.com&port=5433&user=u&password=p',
    'sslmode=verify-full&sslnegotiation=direct',
    'sslmode=no-verify',
    'sslmode=allow&sslsni=1&sslcompression=0&client_encoding=utf8',
    'uselibpqcompat=true&sslmode=require',
    'sslmode=require&channel_binding=require',
    'channel_binding=prefer',
    'sslrootcert=system',
    'sslrootcert=system&sslmode=verify-full',
    'keepalives=1&keepalives_idle=60&keepalives_interval=10&keepalives_count=3&gssencmode=disable',
  ])('can be %s', (query) => {
    expect(problemsWith(query)).toEqual([]);
  });

  it.each([
    ['sslMode=verify-full', 'sslMode', 'sslmode'],
    ['ssl-mode=REQUIRED', 'ssl-mode', 'sslmode'],
    ['SSLMODE=require', 'SSLMODE', 'sslmode'],
    ['sslmod=require', 'sslmod', 'sslmode'],
    ['target_session_atrs=read-write', 'target_session_atrs', 'target_session_attrs'],
    ['targetSessionAttrs=primary', 'targetSessionAttrs', 'target_session_attrs'],
    ['applicationName=', 'applicationName', 'application_name'],
    ['keepAlive=true', 'keepAlive', 'keepalives'],
  ])('cannot be %s', (query, name, nearest) => {
    expect(problemsWith(query)).toEqual([`DATABASE_URL has the unknown parameter ${name}: did you mean ${nearest}?`]);
  });

  it.each(['schema', 'ssl', 'dbname', 'statement_timeout', 'stream', 'replication', '__proto__'])(
    'cannot be %s, which would have no effect or another one',
    (name) => {
      expect(problemsWith(`sslmode=verify-full&${name}=x`)).toEqual([
        `DATABASE_URL has the unknown parameter ${name}: it can have host, port, user, password, sslmode, sslrootcert, sslcert, ` +
          'sslkey, sslnegotiation, uselibpqcompat, application_name, fallback_application_name, connect_timeout, options, target_session_attrs, ' +
          'channel_binding, gssencmode, sslcompression, sslsni, client_encoding, keepalives, keepalives_idle, keepalives_interval, keepalives_count.',
      ]);
    },
  );

  it.each([
    ['sslmode=REQUIRED', 'sslmode: one of disable, allow, prefer, require, verify-ca, verify-full, no-verify'],
    ['sslmode=verify-full;x=1', 'sslmode: one of disable, allow, prefer, require, verify-ca, verify-full, no-verify'],
    ['sslmode=', 'sslmode: one of disable, allow, prefer, require, verify-ca, verify-full, no-verify'],
    ['uselibpqcompat=yes', 'uselibpqcompat: one of true, false'],
    ['connect_timeout=5s', 'connect_timeout'],
    ['application_name=', 'application_name'],
    ['port=x', 'port'],
    ['host=', 'host'],
    ['channel_binding=required', 'channel_binding: one of disable, prefer, require'],
    // It asks for what `pg` cannot do.
    ['gssencmode=require', 'gssencmode: one of disable, prefer'],
    ['keepalives=on', 'keepalives: one of 0, 1'],
    ['keepalives_idle=1m', 'keepalives_idle'],
  ])('cannot have other values: %s', (query, what) => {
    expect(problemsWith(query)).toEqual([`DATABASE_URL must have a valid value as ${what}.`]);
  });

  it('cannot be repeated, nor stand in a fragment', () => {
    expect(problemsWith('sslmode=verify-full&sslmode=disable')).toEqual(['DATABASE_URL must have sslmode once.']);
    expect(problemsWith('application_name=x#&sslmode=verify-full')).toEqual([
      'DATABASE_URL must not have a fragment: write # as %23.',
    ]);
  });

  it('cannot contradict each other', () => {
    const weak = ['DATABASE_URL must have sslmode=verify-full beside sslrootcert=system.'];
    for (const mode of ['require', 'no-verify', 'disable'])
      expect(problemsWith(`sslrootcert=system&sslmode=${mode}`)).toEqual(weak);
    const plain = ['DATABASE_URL must have an sslmode that encrypts beside channel_binding=require.'];
    expect(problemsWith('channel_binding=require&sslmode=disable')).toEqual(plain);
    expect(problemsWith('channel_binding=require')).toEqual(plain);
  });

  it('are not quoted where they may be part of a password', () => {
    const said = problemsOf({ DATABASE_URL: 'postgres://user:12?hunter2&x@db/directory' });
    expect(said).toHaveLength(2);
    expect(said.join()).not.toContain('hunter2');
  });

  it('cannot give a password beside DATABASE_PASSWORD_FILE', () => {
    const DATABASE_PASSWORD_FILE = file('password', 'secret');
    expect(problemsOf({ DATABASE_URL: 'postgres://a,b/db?password=p', DATABASE_PASSWORD_FILE })).toEqual([
      'DATABASE_URL must not contain a password if DATABASE_PASSWORD_FILE is set.',
    ]);
  });
});

describe('PGSSLMODE', () => {
  it.each(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', ''])('can be %p', (PGSSLMODE) => {
    expect(problemsOf({ DATABASE_URL: 'postgres://db/directory', PGSSLMODE })).toEqual([]);
  });

  it.each(['required', 'verify_full', 'VERIFY-FULL', 'Require', 'true', '1', 'no-verify', ' require'])(
    'cannot be %p, which would mean no encryption, or is not a word of libpq',
    (PGSSLMODE) => {
      const said = 'PGSSLMODE must be one of disable, allow, prefer, require, verify-ca, verify-full.';
      expect(problemsOf({ DATABASE_URL: 'postgres://db/directory?sslmode=verify-full', PGSSLMODE })).toEqual([said]);
      expect(problemsOf({ PGSSLMODE })).toEqual([said]);
    },
  );
});

describe('DATABASE_URL with several hosts', () => {
  it.each([
    ['postgres://u:p@a:5432,b:5433/db?sslmode=disable', 'a:5432', 'b:5433'],
    ['postgresql://a,b,c/db', 'a', 'b', 'c'],
    ['postgres://u:p%40@[::1]:1,[::2]:2/db', '[::1]:1', '[::2]:2'],
    ['postgres:///db?host=%2Frun', ''],
    ['postgres://u:p@/db?host=%2Frun', 'localhost'],
  ])('%s is read as one address for each host', (url, ...hosts) => {
    expect(serversIn(url).map((server) => new URL(server).host)).toEqual(hosts);
    expect(problemsOf({ DATABASE_URL: url })).toEqual([]);
  });

  it.each(['postgres://a:x,b/db', 'postgres://u:p@a,,b/db', 'http://a,b/db', 'a,b'])('cannot be %s', (url) => {
    expect(serversIn(url)).toEqual([]);
    expect(problemsOf({ DATABASE_URL: url })).toEqual([
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://.',
    ]);
  });

  it('keeps the user, password, database and options for each host', () => {
    expect(serversIn('postgres://u:p@a:1,b:2/db?x=1,2')).toEqual([
      'postgres://u:p@a:1/db?x=1,2',
      'postgres://u:p@b:2/db?x=1,2',
    ]);
  });

  it.each(['read-write', 'primary', 'any'])('can have target_session_attrs=%s', (target) => {
    expect(problemsOf({ DATABASE_URL: `postgres://a,b/db?target_session_attrs=${target}` })).toEqual([]);
  });

  it.each(['read-only', 'standby', 'prefer-standby', 'READ-WRITE', ''])(
    'cannot have target_session_attrs=%s',
    (target) => {
      expect(problemsOf({ DATABASE_URL: `postgres://a,b/db?target_session_attrs=${target}` })).toEqual([
        'DATABASE_URL must lead to a server that accepts writes: remove target_session_attrs, or set it to read-write.',
      ]);
    },
  );

  it('cannot have the hosts in the query', () => {
    expect(problemsOf({ DATABASE_URL: 'postgres:///db?host=a,b' })).toEqual([
      'DATABASE_URL must name several hosts before the database: postgres://a:5432,b:5432/directory.',
    ]);
  });
});

describe('the files that the configuration of the database names', () => {
  it('must exist if they are certificates or keys', () => {
    const there = file('ca.pem', 'any');
    const url = `postgres://db/d?sslmode=verify-full&sslrootcert=${there}`;
    expect(problemsOf({ DATABASE_URL: url })).toEqual([]);
    expect(problemsOf({ DATABASE_URL: `${url}.gone&sslcert=/nowhere&sslkey=/nowhere` })).toEqual([
      'DATABASE_URL names a file in sslrootcert that cannot be read (ENOENT).',
      'DATABASE_URL names a file in sslcert that cannot be read (ENOENT).',
      'DATABASE_URL names a file in sslkey that cannot be read (ENOENT).',
    ]);
  });

  it('can contain the URL', () => {
    const DATABASE_URL_FILE = file('url', 'postgres://u:p@db/directory\n');
    expect(load({ DATABASE_URL_FILE })).toMatchObject({
      databaseUrl: 'postgres://u:p@db/directory',
      databaseUrlFile: DATABASE_URL_FILE,
    });
    expect(problemsOf({ DATABASE_URL_FILE: folder })).toEqual([
      'DATABASE_URL_FILE must be a file that can be read (EISDIR).',
    ]);
    expect(problemsOf({ DATABASE_URL_FILE, DATABASE_URL: 'postgres://db/d' })).toEqual([
      'Set only one of DATABASE_URL and DATABASE_URL_FILE.',
    ]);
  });

  it('can contain the password, if the URL does not', () => {
    const DATABASE_PASSWORD_FILE = file('password', 'secret\n');
    expect(load({ DATABASE_URL: 'postgres://u@db/d', DATABASE_PASSWORD_FILE }).databasePasswords.file).toBe(
      DATABASE_PASSWORD_FILE,
    );
    expect(problemsOf({ DATABASE_URL: 'postgres://u:p@db/d', DATABASE_PASSWORD_FILE })).toEqual([
      'DATABASE_URL must not contain a password if DATABASE_PASSWORD_FILE is set.',
    ]);
    expect(problemsOf({ DATABASE_PASSWORD_FILE: '/nowhere' })).toEqual([
      'DATABASE_PASSWORD_FILE must be a file that can be read (ENOENT).',
    ]);
  });
});
