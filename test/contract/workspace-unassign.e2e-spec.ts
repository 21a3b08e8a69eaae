import { type Answer, ask, post } from '../support/ask';
import { useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';

const UNASSIGNED = '{"status":200,"message":"Users successfully unassigned from workspaces."}';

const service = useTestService();

beforeEach(async () => {
  await writeSmallDirectory(service);
  const { directory } = service;
  await directory.workspace('staff', ['administer']);
  await directory.group('atlas-readers', 'atlas');
  await directory.member('ben', 'atlas', ['atlas-managers', 'atlas-readers']);
  await directory.member('ben', 'borealis', ['borealis-editors']);
  await directory.member('cyd', 'atlas');
  await service.dataSource.query(`UPDATE users SET type = 'manager' WHERE id = 'ben'`);
  await service.dataSource.query(`UPDATE users SET type = 'member' WHERE id = 'cyd'`);
});

function unassign(body: unknown, token: string | undefined = service.tokenOf('ada')): Promise<Answer> {
  const authorization = token && `Bearer ${token}`;
  return post(`${service.url}/api/users/workspace-unassign`, body, { authorization });
}

async function places(): Promise<{ workspaces: string[]; groups: string[] }> {
  const { workspaces, groups } = await service.directory.state();
  return { workspaces, groups };
}

describe('an unassignment', () => {
  it('without groups removes users from workspaces and all their groups, and updates their types', async () => {
    const answer = await unassign({ userIds: ['ben', 'cyd', 'ben'], workspaces: ['atlas'] });
    expect([answer.status, answer.text]).toEqual([200, UNASSIGNED]);
    expect(answer.headers.get('vary')).toBe('Accept-Language');
    expect(await places()).toEqual({ workspaces: ['ben in borealis'], groups: ['ben in borealis-editors'] });
    expect(await service.directory.typeOf('ben')).toBe('guest');
    expect(await service.directory.typeOf('cyd')).toBe('guest');
  });

  it('with groups removes users from these groups, and from no workspace', async () => {
    const answer = await unassign({
      userIds: ['ben', 'cyd'],
      workspaces: ['atlas', 'borealis'],
      groups: ['atlas-managers'],
    });
    expect([answer.status, answer.text]).toEqual([200, UNASSIGNED]);
    expect(await places()).toEqual({
      workspaces: ['ben in atlas', 'ben in borealis', 'cyd in atlas'],
      groups: ['ben in atlas-readers', 'ben in borealis-editors'],
    });
    expect(await service.directory.typeOf('ben')).toBe('member');
  });

  it.each([{ groups: null }, { groups: [] }])('treats %j as no groups', async (groups) => {
    expect((await unassign({ userIds: ['ben'], workspaces: ['borealis'], ...groups })).text).toBe(UNASSIGNED);
    expect((await places()).workspaces).toEqual(['ben in atlas', 'cyd in atlas']);
  });

  it('succeeds and changes nothing for users who are not members', async () => {
    const before = await everyRow(service);
    expect((await unassign({ userIds: ['cyd', 'zoe'], workspaces: ['borealis', 'staff'] })).text).toBe(UNASSIGNED);
    expect((await unassign({ userIds: ['cyd'], workspaces: ['atlas'], groups: ['atlas-managers'] })).status).toBe(200);
    expect(await everyRow(service)).toEqual(before);
  });

  it('is recorded in the journal, with the workspaces and groups that each user has left', async () => {
    await unassign({ userIds: ['ben', 'cyd'], workspaces: ['atlas'] });
    const { text } = await ask(`${service.url}/api/journal?limit=4`, {
      headers: { authorization: `Bearer ${service.tokenOf('ada')}` },
    });
    const { entries } = JSON.parse(text) as { entries: Record<string, unknown>[] };
    expect(
      entries.map(({ action, user, workspaces, before, after }) => [action, user, workspaces, before, after]),
    ).toEqual([
      ['user.type.changed', 'cyd', [], { type: 'member' }, { type: 'guest' }],
      ['user.type.changed', 'ben', [], { type: 'manager' }, { type: 'guest' }],
      ['user.workspaces.unassigned', 'cyd', ['atlas'], { workspaces: ['atlas'], groups: [] }, null],
      [
        'user.workspaces.unassigned',
        'ben',
        ['atlas'],
        { workspaces: ['atlas'], groups: ['atlas-managers', 'atlas-readers'] },
        null,
      ],
    ]);
  });

  it('can demote the calling administrator while another one remains', async () => {
    await service.dataSource.query(`DELETE FROM user_permissions`);
    for (const id of ['ada', 'zoe']) await service.directory.member(id, 'staff');
    expect((await unassign({ userIds: ['ada'], workspaces: ['staff'] })).text).toBe(UNASSIGNED);
    expect(await service.directory.typeOf('ada')).toBe('guest');
    expect((await unassign({ userIds: ['zoe'], workspaces: ['staff'] })).status).toBe(403);
  });

  it('cannot demote the last active administrator', async () => {
    await service.dataSource.query(`DELETE FROM user_permissions`);
    await service.directory.member('ada', 'staff');
    await service.dataSource.query(`UPDATE users SET type = 'guest' WHERE id IN ('zoe', 'max', 'old-admin')`);
    const before = await everyRow(service);
    const answer = await unassign({ userIds: ['ada', 'ben'], workspaces: ['staff'] });
    const refusal = '{"status":409,"message":"At least one active administrator must remain."}';
    expect([answer.status, answer.text]).toEqual([409, refusal]);
    expect(await everyRow(service)).toEqual(before);
  });
});
