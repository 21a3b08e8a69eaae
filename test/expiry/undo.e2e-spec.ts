import { ask, post } from '../support/ask';
import { at, BEN, DAY, HOUR, useEndsClock } from '../support/ends';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
const clock = useEndsClock(service);

beforeEach(() => writeSmallDirectory(service));

const headers = () => ({ authorization: `Bearer ${service.tokenOf('ada')}` });

/** @returns the newest entry of this action */
async function change(operation: string, body: object, action?: string): Promise<string> {
  const { status } = await post(`${service.url}/api/users/${operation}`, body, headers());
  expect(status).toBe(200);
  return newest(action);
}

async function newest(action?: string, user?: string): Promise<string> {
  const filters = [action && `action=${action}`, user && `user=${user}`, 'limit=1'].filter(Boolean).join('&');
  const { text } = await ask(`${service.url}/api/journal?${filters}`, { headers: headers() });
  return (JSON.parse(text) as { entries: { id: string }[] }).entries[0]?.id ?? '';
}

async function undo(entry: string): Promise<unknown> {
  const { status, text } = await post(
    `${service.url}/api/journal/${entry}/undo`,
    {},
    {
      ...headers(),
      prefer: 'return=representation',
    },
  );
  return status === 200 ? (JSON.parse(text) as { result: { users: unknown[] } }).result.users : status;
}

/** The places of a user with their ends. */
async function placesOf(id: string): Promise<string[]> {
  const { text } = await ask(`${service.url}/api/users/${id}/memberships`, { headers: headers() });
  type Place = { id: string; until?: string };
  const { memberships } = JSON.parse(text) as { memberships: { workspace: Place; groups: Place[] }[] };
  return memberships.flatMap(({ workspace, groups }) => [workspace, ...groups].map((p) => `${p.id} ${p.until ?? '-'}`));
}

describe('undoing', () => {
  it('an assignment with an end takes the membership, and its own undoing gives it back with the end', async () => {
    const entry = await change('workspace-assign', { ...BEN, until: HOUR });
    const until = { workspaces: { atlas: HOUR }, groups: { 'atlas-managers': HOUR } };
    expect(await undo(entry)).toMatchObject([{ id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'], until }]);
    expect(await placesOf('ben')).toEqual([]);
    await undo(await newest('user.workspaces.unassigned'));
    expect(await placesOf('ben')).toEqual([`atlas ${HOUR}`, `atlas-managers ${HOUR}`]);
  });

  it('an unassignment gives a membership back with its end, but not once the end has passed', async () => {
    await change('workspace-assign', { ...BEN, until: HOUR });
    await change('workspace-assign', { userIds: ['ben'], workspaces: ['borealis'], until: DAY });
    const entry = await change('workspace-unassign', { userIds: ['ben'], workspaces: ['atlas', 'borealis'] });
    await clock.passes(3700);
    await undo(entry);
    expect(await placesOf('ben')).toEqual([`borealis ${DAY}`]);
  });

  it('an extension sets the end back, unless a later entry touches the membership or the old end has passed', async () => {
    await change('workspace-assign', { ...BEN, until: HOUR });
    const extended = await change('workspace-assign', { ...BEN, until: DAY });
    expect(await undo(extended)).toEqual([
      {
        id: 'ben',
        workspaces: [],
        groups: [],
        until: { workspaces: { atlas: HOUR }, groups: { 'atlas-managers': HOUR } },
      },
    ]);
    expect(await placesOf('ben')).toEqual([`atlas ${HOUR}`, `atlas-managers ${HOUR}`]);
    const again = await change('workspace-assign', BEN);
    await change('workspace-unassign', { ...BEN, until: at(60) });
    expect(await undo(again)).toMatchObject([{ until: { workspaces: { atlas: HOUR }, groups: {} } }]);
    await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'] });
    const last = await newest('user.workspaces.extended');
    await change('workspace-assign', { ...BEN, until: DAY });
    // The group lasts longer than the workspace would.
    expect(await undo(last)).toEqual([]);
  });

  it('an extension stays once its old end has passed', async () => {
    await change('workspace-assign', { ...BEN, until: HOUR });
    const extended = await change('workspace-assign', BEN);
    await clock.passes(3700);
    expect(await undo(extended)).toEqual([]);
    expect(await placesOf('ben')).toEqual(['atlas -', 'atlas-managers -']);
  });

  it('a shortening takes the end away again', async () => {
    await change('workspace-assign', BEN);
    const entry = await change('workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'], until: HOUR });
    await undo(entry);
    expect(await placesOf('ben')).toEqual(['atlas -', 'atlas-managers -']);
    await undo(await newest('user.workspaces.extended'));
    expect(await placesOf('ben')).toEqual([`atlas ${HOUR}`, `atlas-managers ${HOUR}`]);
  });

  it('a shortening of a group lets it last until its workspace ends, which was shortened since', async () => {
    await change('workspace-assign', BEN);
    const entry = await change('workspace-unassign', { ...BEN, until: HOUR });
    await change('workspace-unassign', { userIds: ['ben'], workspaces: ['atlas'], until: DAY });
    expect(await undo(entry)).toMatchObject([{ until: { workspaces: {}, groups: { 'atlas-managers': DAY } } }]);
    expect(await placesOf('ben')).toEqual([`atlas ${DAY}`, `atlas-managers ${DAY}`]);
  });

  it('an end gives the user of the entry alone what it took, without an end', async () => {
    await change('workspace-assign', { ...BEN, userIds: ['ben', 'max', 'cyd'], until: HOUR });
    await service.dataSource.query(`UPDATE users SET active_until = $1 WHERE id = 'ben'`, [HOUR]);
    await clock.passes(3700);
    const entry = await newest('user.workspaces.unassigned', 'ben');
    expect(await undo(entry)).toEqual([
      {
        id: 'ben',
        workspaces: ['atlas'],
        groups: ['atlas-managers'],
        type: { before: 'guest', after: 'manager' },
        status: { before: 'inactive', after: 'active' },
      },
    ]);
    expect(await placesOf('ben')).toEqual(['atlas -', 'atlas-managers -']);
    expect(await placesOf('max')).toEqual([]);
    expect(await undo(entry)).toEqual([]);
  });

  it('an end of an account alone that was inactive is not possible', async () => {
    await service.dataSource.query(`UPDATE users SET active_until = $1 WHERE id = 'cyd'`, [HOUR]);
    await clock.passes(3700);
    expect(await undo(await newest('user.updated', 'cyd'))).toBe(409);
  });

  it('a suspension does not activate whose account has ended since', async () => {
    await service.dataSource.query(`UPDATE users SET active_until = $1 WHERE id = 'ben'`, [HOUR]);
    const entry = await change('status-assign', { userIds: ['ben', 'max'], status: 'inactive' });
    await clock.passes(3700);
    expect(await undo(entry)).toMatchObject([{ id: 'max' }]);
  });

  it('an assignment to a group, which extended its workspace, can be undone in turn, with the end of both', async () => {
    await change('workspace-assign', { userIds: ['ben'], workspaces: ['atlas'], until: HOUR });
    const entry = await change('workspace-assign', { ...BEN, until: DAY });
    await undo(entry);
    expect(await placesOf('ben')).toEqual([`atlas ${HOUR}`]);
    const both = { workspaces: { atlas: DAY }, groups: { 'atlas-managers': DAY } };
    expect(await undo(await newest('user.workspaces.unassigned'))).toEqual([
      {
        id: 'ben',
        workspaces: [],
        groups: ['atlas-managers'],
        until: both,
        type: { before: 'member', after: 'manager' },
      },
    ]);
    expect(await placesOf('ben')).toEqual([`atlas ${DAY}`, `atlas-managers ${DAY}`]);
  });

  it('gives a group back to whom the end of its workspace was refused', async () => {
    await change('workspace-assign', BEN);
    const entry = await change('workspace-unassign', BEN);
    const passed = at(-60);
    await service.dataSource.query(`UPDATE workspace_memberships SET ends_at = $1, end_refused_at = now()`, [passed]);
    await undo(entry);
    expect(await placesOf('ben')).toEqual([`atlas ${passed}`, `atlas-managers ${passed}`]);
  });
});
