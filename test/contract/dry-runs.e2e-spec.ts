import { ask } from '../support/ask';
import { BulkTrial, DRY, OPERATIONS, REPRESENTATION } from './bulk-operations';

const NOTHING = { users: [], unchanged: 0, refused: [] };

const trial = BulkTrial.forEachTest();

describe.each(OPERATIONS)('%s', (operation, body, message, result) => {
  it('with dryRun=true returns what would change, and changes nothing', async () => {
    const before = await trial.traces();
    const answer = await trial.call(`${operation}?dryRun=true`, body, { 'idempotency-key': operation });
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ status: 200, message: DRY, result })]);
    expect(answer.headers.has('preference-applied')).toBe(false);
    expect(await trial.traces()).toEqual(before);
    // The key is free for the deed.
    const deed = await trial.call(operation, body, { 'idempotency-key': operation, ...REPRESENTATION });
    expect(JSON.parse(deed.text)).toEqual({ status: 200, message, result });
  });

  it('with dryRun=true answers in the language of the caller', async () => {
    const answer = await trial.call(`${operation}?dryRun=true`, body, { 'accept-language': 'de' });
    expect(answer.headers.get('content-language')).toBe('de');
    expect((JSON.parse(answer.text) as { message: string }).message).not.toBe(DRY);
  });

  it('with dryRun=false makes the change', async () => {
    expect((await trial.call(`${operation}?dryRun=false`, body)).text).toBe(JSON.stringify({ status: 200, message }));
  });

  it.each(['', '=', '=1', '=TRUE', '=true&dryRun=true', '=true&dryRun=false'])(
    'refuses the invalid parameter dryRun%s, and changes nothing',
    async (value) => {
      const before = await trial.traces();
      const answer = await trial.call(`${operation}?dryRun${value}`, body);
      expect([answer.status, answer.text]).toEqual([
        400,
        '{"status":400,"message":"Please give a valid value for the query parameter dryRun."}',
      ]);
      expect(await trial.traces()).toEqual(before);
    },
  );

  it.each(['dryrun', 'DRYRUN', 'dry-run', 'dry_run', 'dryRun%20', '?dryRun', 'dryRun[]', 'validateOnly', 'preview'])(
    'refuses the unknown parameter %s, and changes nothing',
    async (name) => {
      const before = await trial.traces();
      expect((await trial.call(`${operation}?${name}=true`, body)).status).toBe(400);
      expect(await trial.traces()).toEqual(before);
    },
  );
});

describe('a dry run', () => {
  it('is refused as the real request would be', async () => {
    const body = { userIds: ['ada', 'zoe'], status: 'inactive' };
    const answer = await trial.call('status-assign?dryRun=true', body);
    expect([answer.status, answer.text]).toEqual([
      409,
      '{"status":409,"message":"At least one active administrator must remain."}',
    ]);
  });

  it('of a deactivation of the caller leaves the caller active', async () => {
    const answer = await trial.call('status-assign?dryRun=true', { userIds: ['ada'], status: 'inactive' });
    expect(JSON.parse(answer.text)).toMatchObject({ result: { users: [{ id: 'ada' }] } });
    expect((await trial.call('status-assign?dryRun=true', { userIds: ['ada'], status: 'active' })).text).toBe(
      JSON.stringify({ status: 200, message: DRY, result: { ...NOTHING, unchanged: 1 } }),
    );
  });

  it('is not counted in the metrics', async () => {
    const counts = async () => (await ask(`${trial.service.url}/metrics`)).text.match(/^user_\w+_total .*$/gm);
    const before = await counts();
    expect(before).toHaveLength(4);
    for (const [operation, body] of OPERATIONS) await trial.call(`${operation}?dryRun=true`, body);
    expect(await counts()).toEqual(before);
  });
});

describe('an operation without dry runs', () => {
  const operations = [
    ['POST', '/api/users', { id: 'flo' }],
    ['POST', '/api/users/cyd/rename', { id: 'cyd-2' }],
    ['POST', '/api/groups', { id: 'editors', name: 'Editors', workspace: 'atlas' }],
    ['POST', '/api/users/status-tokens', { id: 'cyd', status: 'inactive' }],
    ['POST', '/api/users/manage-status', { id: 'cyd', token: 'the token of ada' }],
    ['POST', '/api/webhooks', { url: 'https://hooks.example/any', events: ['user.status.changed'] }],
  ] as const;

  it.each(operations)('refuses dryRun, and changes nothing: %s %s', async (method, path, body) => {
    const before = await trial.traces();
    const token = trial.service.tokenOf('ada');
    for (const name of ['dryRun', 'dryrun', 'dryRun[]']) {
      const answer = await ask(`${trial.service.url}${path}?${name}=true`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body).replace('the token of ada', token),
      });
      expect([answer.status, answer.text]).toEqual([
        400,
        expect.stringContaining(`"message":"There is no query parameter ${name} here."`),
      ]);
    }
    expect(await trial.traces()).toEqual(before);
  });
});
