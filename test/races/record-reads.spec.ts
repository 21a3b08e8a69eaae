import { describeOnServer } from '../support/describe-on-server';
import { call } from '../support/record-calls';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';
import { Gate } from './gate';

describeOnServer('a read of one record, while it changes', () => {
  const service = useTestService();
  beforeEach(() => writeSmallDirectory(service));

  /** Reads while another transaction holds a table of the lists, and then changes the record and its list at once. */
  async function readBeside(path: string, table: string, ...changes: string[]) {
    const gate = await Gate.close(service.config.databaseUrl as string, `LOCK TABLE ${table}`, []);
    const { status, body } = await gate.during(
      () => call(service, 'GET', path),
      async () => {
        for (const change of changes) await gate.execute(change);
      },
    );
    return { status, body };
  }

  it('shows the record and its permissions of one moment', async () => {
    const { status, body } = await readBeside(
      '/api/users/max',
      'user_permissions',
      `UPDATE users SET display_name = 'Maxine' WHERE id = 'max'`,
      'DELETE FROM user_permissions',
    );
    expect({ status, body }).toMatchObject({ status: 200, body: { displayName: 'Maxine', permissions: [] } });
  });

  it('shows no user without lists who was deleted meanwhile', async () => {
    const unknown = { status: 404, body: { status: 404, message: 'There is no such user.' } };
    const without = (id: string) => `DELETE FROM users WHERE id = '${id}'`;
    expect(await readBeside('/api/users/ben', 'user_permissions', without('ben'))).toEqual(unknown);
    expect(await readBeside('/api/users/max/memberships', 'workspace_memberships', without('max'))).toEqual(unknown);
  });
});
