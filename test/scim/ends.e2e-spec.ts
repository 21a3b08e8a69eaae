import { EndsClock } from '../../packages/testing/src/ends-clock';
import { Expiry } from '../../src/expiry/expiry';
import { type List, type Provider, ScimApi } from './scim-api';
import { at } from '../support/ends';

const api = ScimApi.forEachTest();
const HOUR = 3600;

let okta: Provider;
let clock: EndsClock;

beforeAll(() => api.service.app.get(Expiry).beforeApplicationShutdown());

beforeEach(async () => {
  clock = new EndsClock(api.service.dataSource);
  await clock.advance(1);
  await clock.set(0);
  okta = await api.provider();
  for (const id of ['ann', 'bob']) await okta.create({ userName: id, externalId: id });
});

const assign = (body: object) => api.done('POST', '/users/workspace-assign', { userIds: ['ann'], ...body });
const ATLAS = { workspaces: ['atlas'], groups: ['atlas-managers'] };
const patchMembers = (op: string, id: string) =>
  okta.call('PATCH', '/Groups/atlas-managers', {
    Operations: [
      op === 'add' ? { op, path: 'members', value: [{ value: id }] } : { op, path: `members[value eq "${id}"]` },
    ],
  });
const placesOf = async (id: string) =>
  (await api.done<{ memberships: object[] }>('GET', `/users/${id}/memberships`)).memberships;
const members = async () =>
  ((await okta.done('GET', '/Groups/atlas-managers')).members as { value: string }[] | undefined)?.map(
    ({ value }) => value,
  );
const LASTING = [
  { workspace: { id: 'atlas', name: 'atlas' }, groups: [{ id: 'atlas-managers', name: 'atlas-managers' }] },
];

it.each([
  ['has not passed', 0],
  ['has passed, and nothing has carried out yet', HOUR + 60],
])(
  'adding somebody whose end %s takes the end away, and makes both memberships the connection’s',
  async (_, passed) => {
    await assign({ ...ATLAS, until: at(HOUR) });
    await clock.advance(passed);
    expect((await patchMembers('add', 'ann')).status).toBe(204);
    expect(await placesOf('ann')).toEqual(LASTING);
    await clock.set(2 * HOUR);
    await api.service.app.get(Expiry).carryOut();
    expect(await placesOf('ann')).toEqual(LASTING);
    // What the connection gave, it takes.
    await patchMembers('remove', 'ann');
    expect(await placesOf('ann')).toEqual([]);
  },
);

it('adding somebody who is in without an end changes nothing, and leaves both the administrator’s', async () => {
  await assign(ATLAS);
  const before = await okta.done('GET', '/Groups/atlas-managers');
  await patchMembers('add', 'ann');
  expect(await okta.done('GET', '/Groups/atlas-managers')).toEqual(before);
  await patchMembers('remove', 'ann');
  expect(await placesOf('ann')).toEqual([{ workspace: { id: 'atlas', name: 'atlas' }, groups: [] }]);
});

it('a PUT that lists somebody who is in with an end takes the end away', async () => {
  await assign({ ...ATLAS, until: at(HOUR) });
  await okta.done('PUT', '/Groups/atlas-managers', { displayName: 'atlas-managers', members: [{ value: 'ann' }] });
  expect(await placesOf('ann')).toEqual(LASTING);
});

it('who has ended is no member, before and after it is carried out', async () => {
  await assign({ ...ATLAS, until: at(HOUR) });
  const found = async () =>
    (await okta.done<List>('GET', `/Groups?${new URLSearchParams({ filter: 'members.value eq "ann"' }).toString()}`))
      .totalResults;
  expect([await members(), await found()]).toEqual([['ann'], 1]);
  await clock.advance(HOUR + 60);
  expect([await members(), await found()]).toEqual([[], 0]);
  await api.service.app.get(Expiry).carryOut();
  expect([await members(), await found()]).toEqual([[], 0]);
});

it('whose account has ended is not active, and a PUT that says true does not undo the end', async () => {
  await api.done('PATCH', '/users/ann', { activeUntil: at(HOUR) });
  await clock.advance(HOUR + 60);
  const put = () => okta.done('PUT', '/Users/ann', { userName: 'ann', externalId: 'ann', active: true });
  const inactive = async () =>
    (await okta.done<List>('GET', `/Users?${new URLSearchParams({ filter: 'active eq false' }).toString()}`)).Resources;
  for (const carriesOut of [false, true]) {
    if (carriesOut) await api.service.app.get(Expiry).carryOut();
    expect(await okta.done('GET', '/Users/ann')).toMatchObject({ active: false });
    expect(await put()).toMatchObject({ active: false });
    expect(await inactive()).toMatchObject([{ id: 'ann' }]);
    expect(await api.user('ann')).toMatchObject({ status: 'inactive', activeUntil: null });
  }
  // The provider said false last.
  await okta.done('PUT', '/Users/ann', { userName: 'ann', externalId: 'ann', active: false });
  expect(await put()).toMatchObject({ active: true });
  expect(await api.user('ann')).toMatchObject({ status: 'active', activeUntil: null });
});

it('a provider that deactivates and activates before the end is carried out gives an account without an end', async () => {
  await api.done('PATCH', '/users/ann', { activeUntil: at(HOUR) });
  await clock.advance(HOUR + 60);
  for (const active of [false, true])
    await okta.done('PUT', '/Users/ann', { userName: 'ann', externalId: 'ann', active });
  await api.service.app.get(Expiry).carryOut();
  expect(await api.user('ann')).toMatchObject({ status: 'active', activeUntil: null });
});

describe('a group of an administrator that has ended, and that nothing has carried out yet,', () => {
  beforeEach(async () => {
    await api.done('POST', '/groups', { id: 'atlas-guests', name: 'Guests', workspace: 'atlas' });
    await patchMembers('add', 'ann');
    await assign({ workspaces: ['atlas'], groups: ['atlas-guests'], until: at(HOUR) });
    await clock.advance(HOUR + 60);
  });

  it('does not keep the workspace of somebody who leaves the last group of the connection', async () => {
    await patchMembers('remove', 'ann');
    expect(await placesOf('ann')).toEqual([]);
  });

  it('does not keep it when the group was taken by hand before', async () => {
    await api.done('POST', '/users/workspace-unassign', { userIds: ['ann'], ...ATLAS });
    await okta.done('PUT', '/Groups/atlas-managers', { displayName: 'atlas-managers', members: [] });
    expect(await placesOf('ann')).toEqual([]);
  });

  it('does not keep the workspace of somebody whom the connection deletes', async () => {
    await okta.call('DELETE', '/Users/ann');
    expect(await placesOf('ann')).toEqual([]);
  });
});
