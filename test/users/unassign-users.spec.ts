import { ServiceError } from '../../src/contract/errors';
import { useTestService } from '../support/test-service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { everyRow } from '../support/small-directory';

const service = useTestService();

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  await directory.workspace('atlas', ['read']);
  await directory.workspace('borealis', ['read']);
  await directory.workspace('staff', ['administer']);
  await directory.group('atlas-managers', 'atlas', ['manage']);
  await directory.user('ada', { type: 'administrator' });
  await directory.user('ben', { type: 'manager' });
  await directory.user('cyd', { type: 'member', status: 'inactive' });
  await directory.member('ada', 'staff');
  await directory.member('ben', 'atlas', ['atlas-managers']);
  await directory.member('ben', 'borealis');
  await directory.member('cyd', 'atlas');
});

function unassign(request: { userIds: string[]; workspaces: string[] }): Promise<unknown> {
  return service.app.get(UnassignUsersService).execute(request, { actor: { kind: 'system', id: 'test' } });
}

describe('an unassignment', () => {
  it('removes users from workspaces and their groups, and lowers their types', async () => {
    await unassign({ userIds: ['ben', 'cyd', 'ben'], workspaces: ['atlas', 'atlas'] });
    expect(await service.directory.state()).toEqual({
      users: [
        { id: 'ada', type: 'administrator', status: 'active' },
        { id: 'ben', type: 'member', status: 'active' },
        { id: 'cyd', type: 'guest', status: 'inactive' },
      ],
      workspaces: ['ada in staff', 'ben in borealis'],
      groups: [],
    });
  });

  it('changes nothing for users who are not members', async () => {
    const before = await everyRow(service);
    await unassign({ userIds: ['cyd'], workspaces: ['borealis', 'staff'] });
    expect(await everyRow(service)).toEqual(before);
  });

  it.each([
    [{ userIds: ['ben', 'nobody'], workspaces: ['nowhere'] }, 'user.invalid', '/userIds/1', 'nobody'],
    [{ userIds: ['ben', 'cyd', 'b\0n'], workspaces: ['atlas'] }, 'user.invalid', '/userIds/2', 'b\0n'],
    [{ userIds: ['ben'], workspaces: ['nowhere', 'atlas'] }, 'workspace.invalid', '/workspaces/0', 'nowhere'],
  ])(
    'is refused for unknown ids, with their positions, and changes nothing: %j',
    async (request, code, pointer, id) => {
      const before = await everyRow(service);
      const refusal: unknown = await unassign(request).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ServiceError);
      expect(refusal).toMatchObject({ code, details: { errors: [{ pointer, id }] } });
      expect(await everyRow(service)).toEqual(before);
    },
  );

  it('is refused if it would demote the last active administrator', async () => {
    const before = await everyRow(service);
    await expect(unassign({ userIds: ['ada'], workspaces: ['staff'] })).rejects.toThrow('directory.last_administrator');
    expect(await everyRow(service)).toEqual(before);
  });
});
