import { Expiry } from '../../src/expiry/expiry';
import { exportDirectory } from '../../src/plugins/transfer/export-directory';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { at, DAY, HOUR } from '../support/ends';
import { newestEntries } from '../support/sealed';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();
const ACT = { actor: { kind: 'system', id: 'test import' } } as const;

beforeEach(() => writeSmallDirectory(service));

function load(...users: object[]): Promise<{ rowsWritten: number }> {
  const lines = users.map((user) => JSON.stringify({ user }));
  return importDirectory(service.dataSource, lines, ACT, { userTypes: service.app.get(UserTypeService) });
}

async function exported(id: string): Promise<unknown> {
  for await (const line of exportDirectory(service.dataSource)) {
    const { user } = JSON.parse(line) as { user?: { id: string } };
    if (user?.id === id) return user;
  }
  return undefined;
}

const IN_ATLAS = {
  id: 'ben',
  activeUntil: DAY,
  workspaces: [{ id: 'atlas', until: DAY }, 'borealis'],
  groups: [{ id: 'atlas-managers', until: HOUR }],
};

describe('an import with ends', () => {
  it('sets them exactly, and an export writes them so', async () => {
    await load(IN_ATLAS);
    expect(await exported('ben')).toMatchObject(IN_ATLAS);
    expect((await load(IN_ATLAS)).rowsWritten).toBe(0);
    expect((await load((await exported('ben')) as object)).rowsWritten).toBe(0);
    await load({ id: 'ben', workspaces: ['atlas', { id: 'borealis', until: HOUR }] });
    expect(await exported('ben')).toMatchObject({
      workspaces: [
        { id: 'atlas', until: DAY },
        { id: 'borealis', until: HOUR },
      ],
    });
    await load({ id: 'ben', activeUntil: null, workspaces: [{ id: 'atlas', until: null }, 'borealis'] });
    expect(await exported('ben')).toMatchObject({ workspaces: ['atlas', { id: 'borealis', until: HOUR }] });
    expect(await exported('ben')).not.toHaveProperty('activeUntil');
  });

  it('ends a group at the latest with its workspace', async () => {
    await load({ ...IN_ATLAS, workspaces: [{ id: 'atlas', until: HOUR }], groups: ['atlas-managers'] });
    expect(await exported('ben')).toMatchObject({ groups: [{ id: 'atlas-managers', until: HOUR }] });
  });

  it('is recorded as changes through the routes are', async () => {
    await load(IN_ATLAS);
    await load({
      id: 'ben',
      workspaces: [
        { id: 'atlas', until: null },
        { id: 'borealis', until: DAY },
      ],
    });
    const entries = await newestEntries(service.dataSource, 20);
    const told = entries
      .filter(({ user }) => user === 'ben')
      .map(({ action, before, after }) => ({ action, before, after }));
    expect(told).toContainEqual({
      action: 'user.workspaces.assigned',
      before: null,
      after: {
        workspaces: ['atlas', 'borealis'],
        groups: ['atlas-managers'],
        until: { workspaces: { atlas: DAY }, groups: { 'atlas-managers': HOUR } },
      },
    });
    expect(told).toContainEqual({
      action: 'user.workspaces.extended',
      before: { workspaces: { atlas: DAY }, groups: {} },
      after: { workspaces: { atlas: null }, groups: {} },
    });
    expect(told).toContainEqual({
      action: 'user.workspaces.shortened',
      before: { workspaces: { borealis: null }, groups: {} },
      after: { workspaces: { borealis: DAY }, groups: {} },
    });
    // A change of ends alone is nothing else.
    expect(told.slice(0, 3).map(({ action }) => action)).toEqual([
      'user.workspaces.shortened',
      'user.workspaces.extended',
      'user.type.changed',
    ]);
  });

  it('takes an end that has passed, and carries it out', async () => {
    await load({ ...IN_ATLAS, activeUntil: at(-60), workspaces: [{ id: 'atlas', until: at(-60) }] });
    expect(await exported('ben')).toMatchObject({ status: 'inactive', workspaces: [], groups: [] });
    await service.app.get(Expiry).carryOut();
    expect(await service.directory.typeOf('ben')).toBe('guest');
  });

  it.each([
    [{ activeUntil: '2031-01-01' }, 'user.activeUntil must be null or a time'],
    [{ workspaces: [{ id: 'atlas', until: 'soon' }] }, 'user.workspaces must be a list'],
    [{ workspaces: [{ id: 'atlas' }] }, 'user.workspaces must be a list'],
    [{ groups: [{ id: 'atlas-managers', until: null, more: 1 }] }, 'user.groups must be a list'],
  ])('refuses %j', async (fields, problem) => {
    await expect(load({ id: 'ben', ...fields })).rejects.toThrow(problem);
  });
});
