import { describeOnServer } from '../support/describe-on-server';
import { openIcuDatabase } from '../support/icu-database';
import { change, imported, ImportJournal } from './import-journal';
import { querySealed } from '../support/sealed';

it('the users of one change are in the journal in the order of their ids, whatever the order of the lines', async () => {
  const journal = await ImportJournal.open();
  try {
    const ids = Array.from({ length: 40 }, (_, n) => `user-${n}`);
    const users = ids.toReversed().map((id) => ({ user: { id } }));
    await journal.load({ permission: { id: 'read', grants: 'member' } }, ...users);
    await journal.database.import(
      ...users.map(({ user }, n) => ({
        user: { ...user, permissions: ['read'], ...(n % 2 === 0 && { status: 'inactive' as const }) },
      })),
    );
    const changes: { action: string; users: string[] }[] = await querySealed(
      journal.database.dataSource,
      `SELECT action, user_ids AS users FROM journal_changes WHERE user_ids IS NOT NULL AND action <> 'user.created' ORDER BY position`,
    );
    expect(changes.map(({ action, users }) => [action, users.length, users[0]])).toEqual([
      ['user.updated', 40, 'user-0'],
      ['user.status.changed', 20, 'user-1'],
      ['user.permissions.changed', 40, 'user-0'],
      ['user.type.changed', 40, 'user-0'],
    ]);
    for (const { users } of changes) expect(users).toEqual([...users].sort());
  } finally {
    await journal.close();
  }
});

describeOnServer('an import into a database whose text follows the rules of ICU', () => {
  it('records lists in the order of bytes', async () => {
    const database = await openIcuDatabase();
    if (!database) return;
    const journal = await ImportJournal.open(database);
    try {
      const nothing = { permissions: [], workspaces: [], groups: [] };
      const all = { permissions: ['PB', 'pa'], workspaces: ['B', 'a', 'c'], groups: ['GB', 'ga'] };
      await journal.load(
        ...all.permissions.map((id) => ({ permission: { id, grants: 'guest' } as const })),
        ...all.workspaces.map((id) => ({ workspace: { id, name: id } })),
        { group: { id: 'ga', name: 'in a', workspace: 'a' } },
        { group: { id: 'GB', name: 'in B', workspace: 'B' } },
        { user: { id: 'ben' } },
      );
      const { workspaces, groups, permissions } = all;
      await journal.database.import({ user: { id: 'ben', ...all } });
      expect(await journal.newEntries()).toEqual([
        imported('ben', workspaces, nothing, all),
        change('ben', 'user.workspaces.assigned', workspaces, null, { workspaces, groups }),
        change('ben', 'user.permissions.changed', [], { permissions: [] }, { permissions }),
      ]);
      await journal.database.import({ user: { id: 'ben', ...nothing } });
      expect(await journal.newEntries()).toEqual([
        imported('ben', workspaces, all, nothing),
        change('ben', 'user.workspaces.unassigned', workspaces, { workspaces, groups }, null),
        change('ben', 'user.permissions.changed', [], { permissions }, { permissions: [] }),
      ]);
    } finally {
      await journal.close();
    }
  });
});
