import { type Answer, ask, assign, ASSIGNED, post } from '../support/ask';
import { type ContractService, startContractService } from '../support/contract-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const DRY = 'Nothing was changed: this was a dry run.';
const REPRESENTATION = { prefer: 'return=representation' };
const LENIENT = { prefer: 'handling=lenient' };
const NOTHING = { users: [], unchanged: 0, refused: [] };

let service: ContractService;

beforeAll(async () => {
  service = await startContractService();
});
afterAll(() => service.close());
beforeEach(async () => {
  await writeSmallDirectory(service);
  await service.directory.member('max', 'atlas', ['atlas-managers']);
});

type Operation = 'workspace-assign' | 'workspace-unassign' | 'status-assign';

function call(operation: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = `Bearer ${service.tokenOf('ada')}`;
  return post(`${service.url}/api/users/${operation}`, body, { authorization, ...headers });
}

/** Whatever a change could leave behind. */
async function traces(): Promise<string[]> {
  const rows: { line: string }[] = await service.dataSource.query(
    ['journal_changes', 'journal_subjects', 'journal_heads', 'idempotency_keys', 'webhook_deliveries']
      .map((table) => `SELECT '${table} ' || t.xmin || ' ' || t::text AS line FROM ${table} AS t`)
      .join(' UNION ALL ') + ' ORDER BY line',
  );
  return [...(await everyRow(service)), ...rows.map(({ line }) => line)];
}

const OPERATIONS: [Operation, object, string, object][] = [
  [
    'workspace-assign',
    { userIds: ['max', 'ben', 'cyd'], workspaces: ['atlas'], groups: ['atlas-managers'] },
    'Users successfully assigned to workspaces.',
    {
      users: [
        { id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'], type: { before: 'guest', after: 'manager' } },
        { id: 'cyd', workspaces: ['atlas'], groups: ['atlas-managers'], type: { before: 'guest', after: 'manager' } },
      ],
      unchanged: 1,
      refused: [],
    },
  ],
  [
    'workspace-unassign',
    { userIds: ['max', 'ben'], workspaces: ['atlas', 'borealis'] },
    'Users successfully unassigned from workspaces.',
    { users: [{ id: 'max', workspaces: ['atlas'], groups: ['atlas-managers'] }], unchanged: 1, refused: [] },
  ],
  [
    'status-assign',
    { userIds: ['zoe', 'max', 'cyd', 'ben'], status: 'inactive', reason: 'a test' },
    'User statuses successfully updated.',
    {
      users: ['ben', 'max', 'zoe'].map((id) => ({ id, status: { before: 'active', after: 'inactive' } })),
      unchanged: 1,
      refused: [],
    },
  ],
];

describe.each(OPERATIONS)('%s', (operation, body, message, result) => {
  it('returns what has changed, to callers that prefer it', async () => {
    const answer = await call(operation, body, REPRESENTATION);
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message, result })]);
    expect(answer.headers.get('preference-applied')).toBe('return=representation');
    expect(answer.headers.get('vary')).toBe('Accept-Language, Prefer');
  });

  it('answers other callers without a result', async () => {
    const answer = await call(operation, body, { prefer: 'respond-async, return=minimal' });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message })]);
    expect(answer.headers.has('preference-applied')).toBe(false);
    expect(answer.headers.get('vary')).toBe('Accept-Language');
  });

  it('returns what would change, and changes nothing', async () => {
    const before = await traces();
    const answer = await call(`${operation}?dryRun=true`, body, { 'idempotency-key': operation });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message: DRY, result })]);
    expect(answer.headers.has('preference-applied')).toBe(false);
    expect(await traces()).toEqual(before);
    // The key is free for the deed.
    const deed = await call(operation, body, { 'idempotency-key': operation, ...REPRESENTATION });
    expect(JSON.parse(deed.text)).toEqual({ status: 200, message, result });
  });

  it('says in the language of the caller that it was a dry run', async () => {
    const answer = await call(`${operation}?dryRun=true`, body, { 'accept-language': 'de' });
    expect(answer.headers.get('content-language')).toBe('de');
    expect((JSON.parse(answer.text) as { message: string }).message).not.toBe(DRY);
  });

  it('is done, with dryRun=false', async () => {
    expect((await call(`${operation}?dryRun=false`, body)).text).toBe(JSON.stringify({ status: 200, message }));
  });

  it.each(['', '=', '=1', '=TRUE', '=true&dryRun=true', '=true&dryRun=false', '[]=true', '[x]=1'])(
    'refuses dryRun%s',
    async (value) => {
      const before = await traces();
      const answer = await call(`${operation}?dryRun${value}`, body);
      expect([answer.status, answer.text]).toEqual([
        400,
        '{"status":400,"message":"Please give a valid value for the query parameter dryRun."}',
      ]);
      expect(await traces()).toEqual(before);
    },
  );

  it.each(['dryrun', 'DRYRUN', 'dry-run', 'dry_run', 'Dry%20Run', 'dryRun%20', '%20dryRun', '?dryRun', 'dry.run'])(
    'refuses a dry run whose name is written %s, and does not do the deed',
    async (name) => {
      const before = await traces();
      expect((await call(`${operation}?${name}=true`, body)).status).toBe(400);
      expect(await traces()).toEqual(before);
    },
  );

  it('is a dry run after a thousand other parameters, too', async () => {
    const before = await traces();
    const answer = await call(`${operation}?${'x&'.repeat(1_000)}dryRun=true`, body);
    expect(answer.text).toBe(JSON.stringify({ status: 200, message: DRY, result }));
    expect(await traces()).toEqual(before);
  });

  it('skips unknown users, for callers that prefer it', async () => {
    const { userIds } = body as { userIds: string[] };
    const strange = ['nobody', 'b\0n', '', 'x'.repeat(300)];
    const lenient = { ...body, userIds: [...strange, ...userIds, 'nobody'] };
    const answer = await call(operation, lenient, LENIENT);
    const refused = [...strange.map((id, index) => [index, id]), [userIds.length + strange.length, 'nobody']].map(
      ([index, id]) => ({ pointer: `/userIds/${index}`, id, code: 'user.invalid' }),
    );
    expect(JSON.parse(answer.text)).toEqual({ status: 200, message, result: { ...result, refused } });
    expect(answer.headers.get('preference-applied')).toBe('handling=lenient');
  });

  it.each([
    ['nothing', { userIds: [] }, 'Please select at least one user.'],
    ['nobody known', { userIds: ['nobody', 'no one'] }, 'Please select a valid User.'],
    ['no list', { userIds: 'ben' }, 'Please select a valid User.'],
    ['a number', { userIds: ['ben', 7] }, 'Please select a valid User.'],
  ])('refuses %s also leniently', async (_, wrong, sentence) => {
    const before = await traces();
    const answer = await call(operation, { ...body, ...wrong }, LENIENT);
    expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ status: 400, message: sentence })]);
    expect(answer.headers.has('preference-applied')).toBe(false);
    expect(await traces()).toEqual(before);
  });

  it('replays its answer for a key, and refuses the key for another wish', async () => {
    const headers = { 'idempotency-key': `replay ${operation}`.replace(' ', '-'), ...REPRESENTATION };
    const first = await call(operation, body, headers);
    const again = await call(operation, body, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('preference-applied')).toBe('return=representation');
    for (const wish of [{ prefer: '' }, LENIENT]) {
      expect((await call(operation, body, { ...headers, ...wish })).status).toBe(422);
    }
    expect((await call(`${operation}?dryRun=true`, body, headers)).status).toBe(422);
  });

  it('replays the answer to a request that changed nothing, too', async () => {
    await call(operation, body);
    const headers = { 'idempotency-key': `again-${operation}`, ...REPRESENTATION };
    const first = await call(operation, body, headers);
    expect(JSON.parse(first.text)).toMatchObject({ result: { users: [] } });
    const again = await call(operation, body, headers);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });
});

describe('a skipped id', () => {
  it('is of every list, and a group of a workspace that is not listed', async () => {
    const body = {
      userIds: ['ben', 'nobody'],
      workspaces: ['nowhere', 'atlas', 'nowhere'],
      groups: ['atlas-managers', 'borealis-editors', 'none'],
    };
    const answer = await call('workspace-assign', body, { prefer: 'handling=lenient, return=representation' });
    expect(answer.headers.get('preference-applied')).toBe('return=representation, handling=lenient');
    expect(JSON.parse(answer.text)).toMatchObject({
      result: {
        users: [{ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] }],
        unchanged: 0,
        refused: [
          { pointer: '/userIds/1', id: 'nobody', code: 'user.invalid' },
          { pointer: '/workspaces/0', id: 'nowhere', code: 'workspace.invalid' },
          { pointer: '/workspaces/2', id: 'nowhere', code: 'workspace.invalid' },
          { pointer: '/groups/1', id: 'borealis-editors', code: 'group.invalid' },
          { pointer: '/groups/2', id: 'none', code: 'group.invalid' },
        ],
      },
    });
    expect((await service.directory.state()).workspaces).toEqual(['ben in atlas', 'max in atlas']);
  });

  it.each([
    [{ workspaces: ['nowhere'] }, 'Please select a valid Workspace.'],
    [{ workspaces: ['atlas', 7] }, 'Please select a valid Workspace.'],
    [{ groups: ['borealis-editors'] }, 'Please select a valid Group.'],
    [{ groups: {} }, 'Please select a valid Group.'],
    [{ userIds: ['nobody'], workspaces: 7 }, 'Please select a valid User.'],
    [{ userIds: ['nobody', 'ben'], workspaces: [], groups: 7 }, 'Please select at least one workspace.'],
  ])('is never a whole list: %j', async (wrong, message) => {
    const good = { userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'] };
    for (const operation of ['workspace-assign', 'workspace-unassign']) {
      const answer = await call(operation, { ...good, ...wrong }, LENIENT);
      expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ status: 400, message })]);
    }
  });

  it('is judged before the status is, which is judged as ever', async () => {
    const answer = await call('status-assign', { userIds: ['ben', 'nobody'], status: 'asleep' }, LENIENT);
    expect(answer.text).toBe('{"status":400,"message":"Please choose active or inactive as the status."}');
  });
});

describe('a dry run', () => {
  it('is refused as the deed is', async () => {
    const body = { userIds: ['ada', 'zoe'], status: 'inactive' };
    const answer = await call('status-assign?dryRun=true', body);
    expect([answer.status, answer.text]).toEqual([
      409,
      '{"status":409,"message":"At least one active administrator must remain."}',
    ]);
  });

  it('of a deactivation leaves the caller as active as before', async () => {
    const answer = await call('status-assign?dryRun=true', { userIds: ['ada'], status: 'inactive' });
    expect(JSON.parse(answer.text)).toMatchObject({ result: { users: [{ id: 'ada' }] } });
    expect((await call('status-assign?dryRun=true', { userIds: ['ada'], status: 'active' })).text).toBe(
      JSON.stringify({ status: 200, message: DRY, result: { ...NOTHING, unchanged: 1 } }),
    );
  });

  it('is not counted', async () => {
    const counts = async () => (await ask(`${service.url}/metrics`)).text.match(/^user_\w+_total .*$/gm);
    const before = await counts();
    expect(before).toHaveLength(4);
    for (const [operation, body] of OPERATIONS) await call(`${operation}?dryRun=true`, body);
    expect(await counts()).toEqual(before);
  });
});

describe('a result of more than 100,000 memberships', () => {
  const ids = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  const body = { userIds: ids(1_001, 'user'), workspaces: ids(60, 'workspace'), groups: ids(40, 'group') };
  const refusal =
    '{"status":400,"message":"This request is too large to be represented: at most 100,000 memberships."}';
  const UNKNOWN = '{"status":400,"message":"Please select a valid User."}';

  it.each<[string, Record<string, string>]>([
    ['', REPRESENTATION],
    ['', LENIENT],
    ['?dryRun=true', {}],
  ])('is not told: %s %j', async (query, headers) => {
    for (const operation of ['workspace-assign', 'workspace-unassign'])
      expect((await call(operation + query, body, headers)).text).toBe(refusal);
    const less = { ...body, userIds: ids(1_000, 'user') };
    expect((await call(`workspace-assign${query}`, less, headers)).text).toBe(UNKNOWN);
  });

  it('is not judged where none is asked for, and after all other limits', async () => {
    expect((await call('workspace-assign', body)).text).toBe(UNKNOWN);
    const larger = { ...body, userIds: ids(10_001, 'user') };
    expect((await call('workspace-assign?dryRun=true', larger)).text).toContain('at most 10,000 users');
  });
});

describe('an assignment without any wish', () => {
  it('answers to the byte as ever', async () => {
    const answer = await assign(service, service.tokenOf('ada'), { userIds: ['ben'], workspaces: ['atlas'] });
    expect(answer.text).toBe(ASSIGNED);
  });
});

describe('an operation without dry runs', () => {
  const spelled = ['dryRun=true', 'dryrun', 'dry-run=1', 'dryRun[]=false', '?dryRun=true'];
  const operations = [
    ['POST', '/api/users', { id: 'flo' }],
    ['PATCH', '/api/users/cyd', { displayName: 'Cyd' }],
    ['DELETE', '/api/users/cyd', undefined],
    ['DELETE', '/api/workspaces/atlas', undefined],
    ['POST', '/api/users/status-tokens', { id: 'cyd', status: 'inactive' }],
    ['POST', '/api/webhooks', { url: 'https://hooks.example/any', events: ['user.status.changed'] }],
  ] as const;
  const send = (method: string, target: string, caller: string, body?: object) =>
    ask(service.url + target, {
      method,
      headers: { authorization: `Bearer ${service.tokenOf(caller)}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });

  it.each(operations)('refuses one, and changes nothing: %s %s', async (method, path, body) => {
    const before = await traces();
    for (const query of spelled) {
      const answer = await send(method, `${path}?${query}`, 'ada', body);
      expect([answer.status, answer.text]).toEqual([
        400,
        '{"status":400,"message":"Please give a valid value for the query parameter dryRun."}',
      ]);
    }
    expect(await traces()).toEqual(before);
  });

  it('refuses one in the format of manage-status, and changes nothing', async () => {
    const before = await traces();
    const body = { id: 'cyd', token: service.tokenOf('ada') };
    const answer = await call('manage-status?dryRun=true', body);
    expect([answer.status, answer.text]).toEqual([
      400,
      '{"status":"error","message":"Please give a valid value for the query parameter dryRun."}',
    ]);
    expect(await traces()).toEqual(before);
  });

  it('judges the caller first', async () => {
    const answer = await send('DELETE', '/api/users/cyd?dryRun=true', 'max');
    expect(answer.status).toBe(403);
  });
});
