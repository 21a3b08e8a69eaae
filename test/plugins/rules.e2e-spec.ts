import { PLUGINS } from '../../src/installed-plugins';
import type { Plugin } from '../../src/plugins/plugin';
import { PluginErrors } from '../../src/contract/plugin-errors';
import { SEAT_LIMIT } from '../../examples/seat-limit/seat-limit.plugin';
import { Gate } from '../races/gate';
import { ScimApi } from '../scim/scim-api';
import { describeOnServer } from '../support/describe-on-server';
import { at, useEndsClock } from '../support/ends';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const KEPT = new PluginErrors({ 'seats.none_left': { status: 409, when: 'Nobody leaves Borealis.', args: {} } });
/** Nobody leaves Borealis. Its sentence is that of the seats. */
const NOBODY_LEAVES: Plugin = {
  name: 'nobody-leaves',
  folder: __dirname,
  rule: {
    judge: (_, changes) => {
      const left = changes.some(
        ({ action, workspaces }) => action === 'user.workspaces.unassigned' && workspaces?.includes('borealis'),
      );
      const args = { workspace: 'borealis', seats: 0 };
      return left ? Promise.reject(KEPT.refusal('seats.none_left', { args })) : Promise.resolve();
    },
  },
};

const service = useTestService({ plugins: [...PLUGINS, SEAT_LIMIT, NOBODY_LEAVES] });
const clock = useEndsClock(service);
const api = ScimApi.at(service);
const MESSAGE = 'The workspace atlas has no seat left: it has 1.';
const REFUSED = JSON.stringify({ status: 409, message: MESSAGE });
const BEN = { userIds: ['ben'], workspaces: ['atlas'] };

const setSeats = (seats: number): Promise<unknown> =>
  service.dataSource.query(
    `INSERT INTO seat_limits SELECT key, $1 FROM workspaces WHERE id = 'atlas'
     ON CONFLICT (workspace_key) DO UPDATE SET seats = $1`,
    [seats],
  );

/** Max has the only seat of Atlas. */
beforeEach(async () => {
  await writeSmallDirectory(service);
  await service.directory.member('max', 'atlas');
  await setSeats(1);
});

it.each([
  ['an assignment', 'POST', '/users/workspace-assign', BEN],
  ['its dry run', 'POST', '/users/workspace-assign?dryRun=true', BEN],
  ['a new user', 'POST', '/users', { id: 'eve', workspaces: ['atlas'] }],
])('%s beyond the seats is refused, and changes nothing', async (_, method, path, body) => {
  const before = await everyRow(service);
  expect(await api.call(method, path, body)).toMatchObject({ status: 409, text: REFUSED });
  expect(await everyRow(service)).toEqual(before);
});

it.each(['', '&dryRun=true'])('so is an import%s', async (dryRun) => {
  const before = await everyRow(service);
  const line = JSON.stringify({ user: { id: 'ben', workspaces: ['atlas'] } });
  const answer = await api.call('POST', `/imports?name=people${dryRun}`, line, {
    'content-type': 'application/x-ndjson',
  });
  expect(answer).toMatchObject({ status: 409, text: REFUSED });
  expect(await everyRow(service)).toEqual(before);
});

it('so is an undo that would take the seat of another', async () => {
  await api.done('POST', '/users/workspace-unassign', { ...BEN, userIds: ['max'] });
  const [entry] = await api.newestEntries(1);
  await api.done('POST', '/users/workspace-assign', BEN);
  const before = await everyRow(service);
  expect(await api.call('POST', `/journal/${entry?.id}/undo`, {})).toMatchObject({ status: 409, text: REFUSED });
  expect(await everyRow(service)).toEqual(before);
});

it('an identity provider is refused in the form of SCIM', async () => {
  const provider = await api.provider();
  const { id } = await provider.create({ userName: 'eve', externalId: 'eve' });
  const before = await everyRow(service);
  const { status, text, headers } = await provider.call('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Crew',
    members: [{ value: id }],
  });
  expect([status, JSON.parse(text)]).toEqual([
    409,
    { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '409', detail: MESSAGE },
  ]);
  expect(headers.get('content-type')).toMatch(/^application\/scim\+json/);
  expect(await everyRow(service)).toEqual(before);
});

it('a language that the plugin lacks is answered in English', async () => {
  const inFrench = await api.call('POST', '/users/workspace-assign', BEN, { 'accept-language': 'fr' });
  expect([inFrench.status, inFrench.text, inFrench.headers.get('content-language')]).toEqual([409, REFUSED, 'en']);
  const inGerman = await api.call('POST', '/users/workspace-assign', BEN, { 'accept-language': 'de' });
  expect(inGerman.headers.get('content-language')).toBe('de');
});

it('an end that is carried out asks nobody', async () => {
  const BOREALIS = { userIds: ['ben'], workspaces: ['borealis'] };
  await api.done('POST', '/users/workspace-assign', { ...BOREALIS, until: at(60) });
  expect((await api.call('POST', '/users/workspace-unassign', BOREALIS)).status).toBe(409);
  await clock.passes(90);
  expect(await api.done('GET', '/users/ben/memberships')).toMatchObject({ memberships: [] });
});

it('the entries of a change that was judged say in the order of their commits when and why access began', async () => {
  await setSeats(2);
  await api.done('POST', '/users/workspace-assign', { ...BEN, reason: 'a second seat' });
  const { permissions } = await api.done<{ permissions: { sources: object[] }[] }>('GET', '/users/ben/permissions');
  expect(permissions[0]?.sources).toEqual([
    expect.objectContaining({
      kind: 'workspace',
      id: 'atlas',
      actor: { kind: 'user', id: 'ada' },
      reason: 'a second seat',
    }),
  ]);
});

describeOnServer('two who come for the last seat', () => {
  it('when both have written and wait for its lock, one gets it', async () => {
    await setSeats(2);
    const gate = await Gate.close(service.config.databaseUrl ?? '', 'SELECT FROM seat_limits FOR UPDATE', []);
    const assign = (user: string) => api.call('POST', '/users/workspace-assign', { ...BEN, userIds: [user] });
    const answers = await gate.inTurn(
      () => assign('ben'),
      () => assign('zoe'),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
