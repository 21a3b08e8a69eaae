import { createConnection } from 'node:net';
import { LIMITS } from '../../src/contract/limits';
import { ask } from '../support/ask';
import { eventually } from '../support/eventually';
import { useTestService } from '../support/test-service';
import { FILE_LIMITS } from '../../src/plugins/transfer/limits';

const NDJSON = 'application/x-ndjson';
const service = useTestService();

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  await directory.permission('administer', 'administrator');
  await directory.permission('edit', 'member');
  await directory.workspace('atlas', ['edit']);
  await directory.group('atlas-editors', 'atlas');
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.user('zoe', { type: 'administrator', permissions: ['administer'] });
  for (const id of ['ben', 'cyd', 'dee']) await directory.user(id);
});

function send(body: string | Buffer, query = '', headers: Record<string, string> = {}, token = service.tokenOf('ada')) {
  return ask(`${service.url}/api/imports${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': NDJSON, ...headers },
    body,
  });
}

async function bodyOf(sent: ReturnType<typeof send>): Promise<{ status: number } & Record<string, unknown>> {
  const { status, text } = await sent;
  return { ...(JSON.parse(text) as { status: number }), status };
}

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const none = { users: 0, workspaces: 0, groups: 0, permissions: 0 };
const users = async (where = 'true') =>
  (await service.dataSource.query<{ id: string }[]>(`SELECT id FROM users WHERE ${where} ORDER BY id`)).map(
    ({ id }) => id,
  );

const METRICS = ['user_assignments', 'user_unassignments', 'user_status_changes', 'user_type_changes'];

/** The counters of the metrics before and after some work. */
async function counted(work: () => Promise<unknown>): Promise<{ before: number[]; after: number[] }> {
  const read = async () => {
    const { text } = await ask(`${service.url}/metrics`);
    return METRICS.map((name) => Number(new RegExp(`^${name}_total (\\d+)$`, 'm').exec(text)?.[1]));
  };
  const before = await read();
  await work();
  return { before, after: await read() };
}

const FILE = lines(
  { permission: { id: 'edit', description: 'Edits', grants: 'manager' } },
  { workspace: { id: 'borealis', name: 'Borealis', permissions: ['edit'] } },
  { workspace: { id: 'atlas', name: 'atlas' } },
  { group: { id: 'borealis-editors', name: 'Editors', workspace: 'borealis' } },
  { user: { id: 'ben', email: 'ben@example.com', workspaces: ['borealis'], groups: ['borealis-editors'] } },
  { user: { id: 'cyd' } },
  { user: { id: 'dee', status: 'inactive' } },
  { user: { id: 'new', displayName: 'New' } },
);
const COUNTS = {
  created: { users: 1, workspaces: 1, groups: 1, permissions: 0 },
  changed: { users: 1, workspaces: 0, groups: 0, permissions: 1 },
  unchanged: { users: 1, workspaces: 1, groups: 0, permissions: 0 },
  deactivated: 1,
  spared: 0,
};

describe('POST /api/imports', () => {
  it('imports NDJSON for an administrator, who is its actor in the journal', async () => {
    expect(await bodyOf(send(FILE))).toEqual({ status: 200, message: 'The file was imported.', result: COUNTS });
    const { text } = await ask(`${service.url}/api/journal?user=ben&limit=1`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    expect(JSON.parse(text)).toMatchObject({
      entries: [{ action: 'user.type.changed', actor: { kind: 'user', id: 'ada' }, after: { type: 'manager' } }],
    });
    expect(await bodyOf(send(FILE))).toMatchObject({
      result: {
        created: none,
        changed: none,
        unchanged: { users: 4, workspaces: 2, groups: 1, permissions: 1 },
        deactivated: 0,
      },
    });
  });

  it('stands in the journal as itself, and counts in the metrics', async () => {
    const { before, after } = await counted(async () => {
      const answer = await send(FILE, '?name=people.ndjson&reason=The%20autumn%20term');
      expect(answer.status).toBe(200);
    });
    const { text } = await ask(`${service.url}/api/journal?limit=50`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    const { entries } = JSON.parse(text) as { entries: Record<string, unknown>[] };
    const [itself] = entries.filter(({ action }) => action === 'directory.imported');
    const others = entries.filter(({ requestId }) => requestId === itself?.requestId);
    expect(others.at(-1)).toBe(itself);
    for (const { at, reason } of others) expect([at, reason]).toEqual([itself?.at, 'The autumn term']);
    expect(itself).toEqual({
      id: expect.any(String) as string,
      at: expect.any(String) as string,
      action: 'directory.imported',
      actor: { kind: 'user', id: 'ada' },
      grantedBy: null,
      user: null,
      workspaces: [],
      before: null,
      after: {
        name: 'people.ndjson',
        created: COUNTS.created,
        changed: COUNTS.changed,
        deactivated: 1,
      },
      reason: 'The autumn term',
      requestId: expect.any(String) as string,
    });
    // Ben got a workspace and with it a type; dee was deactivated.
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0, 1, 1]);
    expect((await counted(() => send(FILE, '?reason=x'))).after).toEqual(after);
  });

  it.each<[string, object]>([
    ['name=', { status: 400, message: 'Please give a valid value for the query parameter name.' }],
    [`name=${'x'.repeat(256)}`, { status: 400, message: 'Please give a valid value for the query parameter name.' }],
    ['name=a%00b', { status: 400, message: 'Please give a valid value for the query parameter name.' }],
    ['name=a&name=b', { status: 400, message: 'Please give a valid value for the query parameter name.' }],
    ['reason=', { status: 400, message: 'Please give a reason of 1 to 500 characters.' }],
    [`reason=${'x'.repeat(501)}`, { status: 400, message: 'Please give a reason of 1 to 500 characters.' }],
    ['reason=a&reason=b', { status: 400, message: 'Please give a valid value for the query parameter reason.' }],
    [`name=${encodeURIComponent('𝒳'.repeat(255))}&reason=${encodeURIComponent('𝒳'.repeat(500))}`, { status: 200 }],
  ])('with ?%s answers %j', async (query, expected) => {
    expect(await bodyOf(send(FILE, `?${query}`))).toMatchObject(expected);
    expect(await users(`id = 'new'`)).toEqual('message' in expected ? [] : ['new']);
  });

  it('imports CSV', async () => {
    const csv = '\ufeffid;email;groups;workspaces\r\nben;ben@example.com;atlas-editors;atlas\r\n;;;\r\nflo;;;\r\n';
    for (const type of ['text/csv', 'Text/CSV; charset=UTF-8'])
      expect(await bodyOf(send(csv, '?dryRun=true', { 'content-type': type }))).toMatchObject({
        result: { created: { ...none, users: 1 }, changed: { ...none, users: 1 } },
      });
    expect((await send(csv, '', { 'content-type': 'text/csv' })).status).toBe(200);
    expect(await users(`email = 'ben@example.com'`)).toEqual(['ben']);
  });

  it('by a dry run lists what would change by line, and changes nothing', async () => {
    expect(
      await bodyOf(send(FILE, '?dryRun=true&deactivateMissing=true&atMost=100%25&includeAdministrators=true&keep=ada')),
    ).toEqual({
      status: 200,
      message: 'Nothing was changed: this was a dry run.',
      result: {
        ...COUNTS,
        deactivated: 2,
        spared: 1,
        changes: [
          {
            line: 1,
            record: 'permission',
            id: 'edit',
            change: 'changed',
            before: { description: null, grants: 'member' },
            after: { description: 'Edits', grants: 'manager' },
          },
          {
            line: 2,
            record: 'workspace',
            id: 'borealis',
            change: 'created',
            before: {},
            after: { name: 'Borealis', permissions: ['edit'] },
          },
          {
            line: 4,
            record: 'group',
            id: 'borealis-editors',
            change: 'created',
            before: {},
            after: { name: 'Editors' },
          },
          {
            line: 5,
            record: 'user',
            id: 'ben',
            change: 'changed',
            before: { email: null, workspaces: [], groups: [] },
            after: { email: 'ben@example.com', workspaces: ['borealis'], groups: ['borealis-editors'] },
          },
          {
            line: 7,
            record: 'user',
            id: 'dee',
            change: 'deactivated',
            before: { status: 'active' },
            after: { status: 'inactive' },
          },
          {
            line: 8,
            record: 'user',
            id: 'new',
            change: 'created',
            before: {},
            after: expect.objectContaining({ displayName: 'New', status: 'active' }) as object,
          },
          {
            line: null,
            record: 'user',
            id: 'zoe',
            change: 'deactivated',
            before: { status: 'active' },
            after: { status: 'inactive' },
          },
        ],
      },
    });
    expect(await users(`status = 'inactive' OR id = 'new'`)).toEqual([]);
    expect(
      await service.dataSource.query('SELECT FROM journal_inbox WHERE changes::text LIKE $1', ['%borealis%']),
    ).toEqual([]);
  });

  it('lists the first 1,000 changes', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ user: { id: `m${String(index).padStart(4, '0')}` } }));
    const { result } = (await bodyOf(send(lines(...many), '?dryRun=true'))) as unknown as {
      result: { created: object; changes: { id: string }[] };
    };
    expect([result.created, result.changes.length, result.changes.at(-1)?.id]).toEqual([
      { ...none, users: 1_001 },
      1_000,
      'm0999',
    ]);
  });

  it('deactivates whom the file does not name, and counts all whom it leaves alone', async () => {
    const file = lines({ user: { id: 'ada' } }, { user: { id: 'ben' } });
    expect(await bodyOf(send(file, '?deactivateMissing=true&atMost=50%25&keep=cyd'))).toMatchObject({
      status: 200,
      result: { deactivated: 1, spared: 2, changed: none, unchanged: { ...none, users: 2 } },
    });
    expect(await users(`status = 'inactive'`)).toEqual(['dee']);
  });

  it.each<[string, object]>([
    ['deactivateMissing=true', { status: 409, message: 'This would deactivate 2 users, more than permitted.' }],
    [
      'deactivateMissing=true&atMost=1',
      { status: 409, message: 'This would deactivate 2 users, more than permitted.' },
    ],
    [
      'deactivateMissing=true&atMost=1&dryRun=true',
      { status: 409, message: 'This would deactivate 2 users, more than permitted.' },
    ],
    [
      'deactivateMissing=true&atMost=100%25&keep=nobody',
      { status: 400, message: 'Please give a valid value for the query parameter keep.' },
    ],
    ...['atMost=', 'atMost=-1', 'atMost=x', 'atMost=101%25', 'atMost=1&atMost=2'].map(
      (query) =>
        [
          `deactivateMissing=true&${query}`,
          { status: 400, message: 'Please give a valid value for the query parameter atMost.' },
        ] as [string, object],
    ),
    ...['atMost=1', 'keep=ben', 'includeAdministrators=true'].map(
      (query) =>
        [
          query,
          { status: 400, message: `Please give a valid value for the query parameter ${query.split('=')[0]}.` },
        ] as [string, object],
    ),
    [
      'deactivateMissing=yes',
      { status: 400, message: 'Please give a valid value for the query parameter deactivateMissing.' },
    ],
    ['dryrun=true', { status: 400, message: 'There is no query parameter dryrun here.' }],
  ])('with %s is refused, and changes nothing', async (query, refusal) => {
    const file = lines({ user: { id: 'ada' } }, { user: { id: 'ben', displayName: 'B' } }, { user: { id: 'cyd' } });
    await service.directory.user('eve');
    expect(
      await bodyOf(
        send(
          query.includes('keep') ? file : lines({ user: { id: 'ben', displayName: 'B' } }, { user: { id: 'cyd' } }),
          `?${query}`,
        ),
      ),
    ).toEqual(refusal);
    expect(await users(`display_name IS NOT NULL OR status = 'inactive'`)).toEqual([]);
  });

  it('names the bad lines, in the usual body as well', async () => {
    const file = `{"user":{"id":"ben","displayName":"B"}}\n\nno json\n${lines({ user: { id: 'x', groups: ['none'] } })}`;
    const errors = [
      { line: 3, message: expect.any(String) as string },
      { line: 4, message: 'there is no group "none", neither in this file nor in the directory' },
    ];
    expect(await bodyOf(send(file, '', { 'accept-language': 'de' }))).toEqual({
      status: 400,
      message: 'Die Datei enthält Fehler. Es wurde nichts importiert.',
      errors,
    });
    expect(await bodyOf(send(file, '?dryRun=true', { accept: 'application/problem+json' }))).toMatchObject({
      status: 400,
      code: 'import.invalid',
      detail: 'The file has errors. Nothing was imported.',
      errors,
    });
    expect(await users('display_name IS NOT NULL')).toEqual([]);
    const { errors: many } = (await bodyOf(send('x\n'.repeat(300)))) as unknown as { errors: object[] };
    expect(many).toHaveLength(100);
    expect(await bodyOf(send('id,color\nben,red\n', '', { 'content-type': 'text/csv' }))).toMatchObject({
      errors: [{ line: 1 }],
    });
    expect(await bodyOf(send(Buffer.from([0x7b, 0xff, 0x0a])))).toMatchObject({
      errors: [{ line: 1, message: 'not valid UTF-8' }],
    });
  });

  it('keeps an active administrator', async () => {
    const file = lines({ user: { id: 'ada', permissions: [] } }, { user: { id: 'zoe', permissions: [] } });
    expect(await bodyOf(send(file))).toEqual({
      status: 409,
      message: 'At least one active administrator must remain.',
    });
  });

  it('is for administrators', async () => {
    const refusal = { status: 403, message: 'Only an administrator can do this.' };
    expect(await bodyOf(send(FILE, '', {}, service.tokenOf('ben')))).toEqual(refusal);
    expect(await bodyOf(send(FILE, '?dryRun=true', {}, service.tokenOf('auditor', { scope: 'users:read' })))).toEqual(
      refusal,
    );
    expect((await send(FILE, '', {}, 'none')).status).toBe(401);
  });

  it.each([
    [{ 'content-type': 'application/json' }, 415],
    [{ 'content-type': 'application/x-ndjson; charset=iso-8859-1' }, 415],
    [{ 'content-type': 'text/csv; charset=utf-16' }, 415],
    [{ 'content-type': 'text/csvx' }, 415],
    [{ 'content-encoding': 'gzip' }, 415],
    [{ 'content-type': 'application/x-ndjson;charset="utf-8"' }, 200],
  ])('with the headers %j is answered %d', async (headers, status) => {
    const answer = await send(FILE, '', headers);
    expect(answer.status).toBe(status);
    if ('content-encoding' in headers) expect(answer.headers.get('accept-encoding')).toBe('identity');
  });

  it('takes at most 16 MiB and 50,000 records', async () => {
    const tooLarge = {
      status: 413,
      message: 'A file can have at most 50,000 records and 16 MiB here. The command line has no limit.',
    };
    expect(await bodyOf(send(Buffer.alloc(LIMITS.listBodyBytes + 1, 0x20)))).toEqual(tooLarge);
    expect(
      (await send(`${lines({ user: { id: 'ben' } })}${'\n'.repeat(LIMITS.listBodyBytes - 30)}`, '?dryRun=true')).status,
    ).toBe(200);
    const file = (count: number) => `id\n${Array.from({ length: count }, (_, index) => `u${index}\n`).join('')}`;
    expect(await bodyOf(send(file(FILE_LIMITS.records + 1), '', { 'content-type': 'text/csv' }))).toEqual(tooLarge);
    expect(await users(`id LIKE 'u%'`)).toEqual([]);
  });

  it.each<[string, string]>([
    ['', NDJSON],
    ['\uFEFF \r\n\n', NDJSON],
    ['', 'text/csv'],
    ['\uFEFF', 'text/csv'],
    ['id;email\r\n', 'text/csv'],
    ['sep=;\nid\n;;\n"";\n\n', 'text/csv'],
  ])('refuses the file %j of %s, which has no records, and deactivates nobody', async (file, type) => {
    for (const query of ['?deactivateMissing=true&atMost=100%25&includeAdministrators=true', '?dryRun=true', ''])
      expect(await bodyOf(send(file, query, { 'content-type': type }))).toEqual({
        status: 400,
        message: 'The file has no records.',
      });
    expect(await users(`status = 'inactive'`)).toEqual([]);
  });

  it('imports once for a key', async () => {
    const headers = { 'idempotency-key': 'import-1' };
    const first = await send(FILE, '', headers);
    await service.dataSource.query(`UPDATE users SET display_name = 'Changed since' WHERE id = 'new'`);
    const again = await send(FILE, '', headers);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await users(`display_name = 'Changed since'`)).toEqual(['new']);
    expect((await send(`${FILE}\n`, '', headers)).status).toBe(422);
    expect((await send(FILE, '?dryRun=true', { 'idempotency-key': 'dry' })).status).toBe(200);
    expect((await send(FILE, '', { 'idempotency-key': 'bad-1' })).status).toBe(200);
  });

  it('changes nothing if the upload breaks off', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname);
    socket.write(
      `POST /api/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.tokenOf('ada')}\r\nContent-Type: ${NDJSON}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${FILE.length.toString(16)}\r\n${FILE}\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await eventually(() => expect(socket.destroyed).toBe(true));
    expect(await users(`id = 'new'`)).toEqual([]);
  });

  it('judges the caller again in its transaction', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection(Number(port), hostname);
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    socket.write(
      `POST /api/imports HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.tokenOf('zoe')}\r\n` +
        `Content-Type: ${NDJSON}\r\nContent-Length: ${FILE.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await eventually(() => expect(answer).toContain('100 Continue'));
    await service.dataSource.query(`UPDATE users SET type = 'guest' WHERE id = 'zoe'`);
    socket.write(FILE);
    await eventually(() => expect(answer).toContain('403 Forbidden'));
    expect(await users(`id = 'new'`)).toEqual([]);
  });
});
