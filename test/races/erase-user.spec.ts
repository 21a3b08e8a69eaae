import { DeleteUserService } from '../../src/users/delete-user.service';
import { ask, assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { newestEntries, SEALING, sealed } from '../support/sealed';
import { useReplicas } from './replicas';

const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;

describeOnServer('erasing', () => {
  const replicas = useReplicas();

  beforeAll(async () => {
    await replicas.directory.workspace('atlas');
    await replicas.directory.user('cyd');
  });

  const put = (id: string) =>
    assign(replicas.at(0), replicas.at(0).serviceToken(), {
      userIds: [id, 'cyd'],
      workspaces: ['atlas'],
      reason: 'a private matter',
    });
  const erase = (id: string) => replicas.at(1).app.get(DeleteUserService).execute(id, ACT, { erase: true });

  it('includes the reason of a request that was answered while the erasure waited', async () => {
    await replicas.directory.user('ben');
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR UPDATE`);
    const [assigned] = await gate.inTurn(
      () => put('ben'),
      () => erase('ben'),
    );
    expect(assigned.status).toBe(200);
    const token = replicas.at(0).serviceToken();
    const { text } = await ask(`${replicas.at(0).url}/api/journal`, { headers: { authorization: `Bearer ${token}` } });
    expect(text).toContain('"erased":true');
    expect(text).not.toContain('private');
  });

  it('leaves nobody to a request that waited for it', async () => {
    await replicas.directory.user('dee');
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'dee' FOR UPDATE`);
    const [, assigned] = await gate.inTurn(
      () => erase('dee'),
      () => put('dee'),
    );
    expect(assigned.status).toBe(400);
  });

  it('succeeds beside another one, also for a user of whom the journal has nothing else', async () => {
    await replicas.directory.user('gus');
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'gus' FOR UPDATE`);
    const erasing = [erase('gus'), erase('gus')];
    await gate.waitFor(2);
    const unsealed = await replicas.gate(SEALING);
    await gate.open();
    // Until both have left their entries.
    await eventually(async () =>
      expect(await replicas.query('SELECT DISTINCT xid FROM journal_inbox')).toHaveLength(2),
    ).finally(() => unsealed.open());
    await Promise.all(erasing);
  });

  it('is done again if it meets another one in the entries of a request that concerned both', async () => {
    const [service] = replicas.both;
    const token = service.serviceToken();
    for (const id of ['eva', 'fay']) await replicas.directory.user(id);
    await replicas.directory.member('fay', 'atlas');
    await replicas.directory.group('editors', 'atlas');
    const request = { userIds: ['eva', 'fay'], workspaces: ['atlas'], groups: ['editors'], reason: 'a private matter' };
    expect((await assign(service, token, request)).status).toBe(200);
    await sealed(service.dataSource);
    // As the other erasure does: first its own entry, then that of the first one.
    const remove = (user: string) =>
      `DELETE FROM journal_personal WHERE position = (
        SELECT position FROM journal_changes WHERE user_id = '${user}' AND action = 'user.workspaces.assigned')`;
    const other = await replicas.gate(remove('fay'));
    const erasing = erase('eva');
    await other.waitFor(1);
    // PostgreSQL ends either of the two.
    await other.execute(remove('eva')).catch(() => undefined);
    await other.commit();
    await erasing;
    expect((await newestEntries(service.dataSource, 1))[0]).toMatchObject({ action: 'user.erased', user: 'eva' });
  });
});
