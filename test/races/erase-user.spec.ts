import { DeleteUserService } from '../../src/users/delete-user.service';
import { ask, assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { Replicas } from './replicas';

const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;

describeOnServer('erasing', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.directory.workspace('atlas');
    await replicas.directory.user('cyd');
  });
  afterAll(() => replicas.close());

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
    const assigning = put('ben');
    await gate.waitFor(1);
    const erasing = erase('ben');
    await gate.waitFor(2);
    await gate.open();
    expect((await assigning).status).toBe(200);
    await erasing;
    const token = replicas.at(0).serviceToken();
    const { text } = await ask(`${replicas.at(0).url}/api/journal`, { headers: { authorization: `Bearer ${token}` } });
    expect(text).toContain('"erased":true');
    expect(text).not.toContain('private');
  });

  it('leaves nobody to a request that waited for it', async () => {
    await replicas.directory.user('dee');
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'dee' FOR UPDATE`);
    const erasing = erase('dee');
    await gate.waitFor(1);
    const assigning = put('dee');
    await gate.waitFor(2);
    await gate.open();
    await erasing;
    expect((await assigning).status).toBe(400);
  });
});
