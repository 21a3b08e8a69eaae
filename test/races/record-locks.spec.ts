import { describeOnServer } from '../support/describe-on-server';
import { create, put, type RecordAct, remove, replicasForRecordActs } from './record-acts';

describeOnServer('the locks of changes of records on two replicas', () => {
  const replicas = replicasForRecordActs();

  describe.each<[string, string, string, RecordAct]>([
    ['an assignment', 'workspaces', 'zulu', put(['ben'], ['zulu', 'alpha'])],
    ['an assignment', 'groups', 'zulu-editors', put(['ben'], ['empty'], ['zulu-editors', 'alpha-editors'])],
    ['an assignment', 'groups', 'atlas-readers', put(['ben'], ['atlas'], ['atlas-readers'])],
    ['the creation of a user', 'workspaces', 'zulu', create('/api/users', { workspaces: ['zulu', 'alpha'] })],
    [
      'the creation of a user',
      'groups',
      'zulu-editors',
      create('/api/users', { workspaces: ['empty'], groups: ['zulu-editors', 'alpha-editors'] }),
    ],
    ['the deletion of their workspace', 'groups', 'zulu-editors', remove('/api/workspaces/empty')],
  ])('the deletion of a permission and %s lock %s in one order (%s)', (_, table, first, act) => {
    const acts = [remove('/api/permissions/read'), act];

    it.each([
      ['and succeed', acts],
      ['and succeed in the other order', acts.toReversed()],
    ])('%s', async (_, inTurn) => {
      const { directory } = replicas;
      for (const id of ['zulu', 'alpha']) await directory.workspace(id, ['read']);
      await directory.workspace('empty');
      for (const id of ['zulu-editors', 'alpha-editors']) await directory.group(id, 'empty', ['read']);
      await directory.group('atlas-readers', 'atlas', ['read']);
      // So that neither ids nor rows have the order of keys.
      await replicas.query(`UPDATE ${table} SET name = 'Zulu' WHERE id = $1`, [first]);
      const gate = await replicas.gate(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [first]);
      const statuses = await gate.inTurn(...inTurn.map((one, turn) => () => one(replicas.at(turn))));
      for (const status of statuses) expect([200, 201, 204]).toContain(status);
    });
  });

  it('the deletion of an administrator with many memberships does not delay changes of another administrator', async () => {
    const gate = await replicas.gate('SELECT FROM workspace_memberships FOR UPDATE');
    const running = remove('/api/users/zoe')(replicas.at(0));
    await gate.waitFor(1);
    await gate.execute('SELECT FROM administrator_guard FOR UPDATE NOWAIT').finally(() => gate.open());
    expect(await running).toBe(204);
  });
});
