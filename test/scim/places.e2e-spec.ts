import { type Provider, ScimApi } from './scim-api';

const api = ScimApi.forEachTest();
const IN_MANAGERS = { workspaces: ['u in atlas'], groups: ['u in atlas-managers'] };
const NOWHERE = { workspaces: [], groups: [] };
const place = { userIds: ['u'], workspaces: ['atlas'], groups: ['atlas-managers'] };

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
  await okta.create({ userName: 'u', externalId: 'u' });
});

const join = (provider: Provider) => patchMembers(provider, 'add');
const leave = (provider: Provider) => patchMembers(provider, 'remove');
async function patchMembers(provider: Provider, op: string): Promise<void> {
  const Operations = [{ op, path: 'members', value: [{ value: 'u' }] }];
  expect(await provider.refusal('PATCH', '/Groups/atlas-managers', { Operations })).toBe('204');
}

const state = async () => {
  const { workspaces, groups } = await api.service.directory.state();
  return { workspaces, groups };
};
const take = (body: object = { userIds: ['u'], workspaces: ['atlas'] }) =>
  api.done('POST', '/users/workspace-unassign', body);
const give = () => api.done('POST', '/users/workspace-assign', place);
async function undo(): Promise<void> {
  const [entry] = await api.newestEntries(1);
  await api.done('POST', `/journal/${entry?.id}/undo`, {});
}

describe('a place that SCIM gave', () => {
  it('is SCIM’s again when an administrator has taken it away and undone that', async () => {
    await join(okta);
    await take();
    expect(await state()).toEqual(NOWHERE);
    await undo();
    expect(await state()).toEqual(IN_MANAGERS);
    await okta.done('DELETE', '/Users/u');
    expect(await state()).toEqual(NOWHERE);
  });

  it('is so in a group alone, and after undoing twice', async () => {
    await join(okta);
    await take(place);
    await undo();
    await undo();
    await undo();
    expect(await state()).toEqual(IN_MANAGERS);
    await leave(okta);
    expect(await state()).toEqual(NOWHERE);
  });

  it('is an administrator’s who gave it since, also when that is undone', async () => {
    await join(okta);
    await take();
    await give();
    await take();
    await undo();
    await okta.done('DELETE', '/Users/u');
    expect(await state()).toEqual(IN_MANAGERS);
  });

  const byProvider = { Operations: [{ op: 'replace', path: 'externalId', value: 'v' }] };
  it.each<[by: string, rename: () => Promise<unknown>]>([
    ['here', () => api.done('POST', '/users/u/rename', { id: 'v' })],
    ['by the provider', () => okta.call('PATCH', '/Users/u', byProvider)],
  ])('is whose it was, also if the user was renamed %s since', async (_, rename) => {
    const takeFromV = () => take({ userIds: ['v'], workspaces: ['atlas'] });
    await join(okta);
    await take();
    const [taken] = await api.newestEntries(1);
    await rename();
    await api.done('POST', `/journal/${taken?.id}/undo`, {});
    await takeFromV();
    await undo();
    expect(await state()).toEqual({ workspaces: ['v in atlas'], groups: ['v in atlas-managers'] });
    await okta.done('DELETE', '/Users/u');
    expect(await state()).toEqual(NOWHERE);
  });

  it.each<[by: string, rename: () => Promise<unknown>]>([
    ['here', () => api.done('POST', '/users/u/rename', { id: 'v' })],
    ['by the provider', () => okta.call('PATCH', '/Users/u', byProvider)],
  ])('is an administrator’s who gave it since, also if the user was renamed %s in between', async (_, rename) => {
    await join(okta);
    await take();
    await give();
    await rename();
    expect((await api.user('v')).id).toBe('v');
    await take({ userIds: ['v'], workspaces: ['atlas'] });
    await undo();
    await okta.done('DELETE', '/Users/u');
    expect(await state()).toEqual({ workspaces: ['v in atlas'], groups: ['v in atlas-managers'] });
  });

  it('is not that of an administrator, whom SCIM found there', async () => {
    await give();
    await take();
    await undo();
    await okta.done('DELETE', '/Users/u');
    expect(await state()).toEqual(IN_MANAGERS);
  });

  it('passes to the connection that takes the user over', async () => {
    await join(okta);
    await api.done('DELETE', `/scim-connections/${okta.connection}`);
    expect(await state()).toEqual(IN_MANAGERS);
    const next = await api.provider();
    await next.create({ userName: 'u', externalId: 'u' });
    await leave(next);
    expect(await state()).toEqual(NOWHERE);
    await join(next);
    await api.done('DELETE', `/scim-connections/${next.connection}`);
    const last = await api.provider({ workspace: 'borealis' });
    await last.create({ userName: 'u', externalId: 'u' });
    await last.done('DELETE', '/Users/u');
    expect(await state()).toEqual(NOWHERE);
  });
});
