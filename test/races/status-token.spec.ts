import { manageStatus, post, STATUS_UPDATED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { Replicas } from './replicas';
import { sealed } from '../support/sealed';

describeOnServer('a status token that is created while its user is being changed', () => {
  let replicas: Replicas;
  let token: string;

  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.directory.user('ben');
    token = replicas.both[0].serviceToken();
  });
  afterAll(() => replicas.close());

  it('waits for that change, so that the journal has both in the order in which they happened', async () => {
    const [here, there] = replicas.both;
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR NO KEY UPDATE`);
    const minting = post(
      `${here.url}/api/users/status-tokens`,
      { id: 'ben', status: 'inactive' },
      { authorization: `Bearer ${token}` },
    );
    // Those who wait for a row get it in the order in which they came.
    await gate.waitFor(1).catch(async (error: unknown) => {
      await gate.open();
      throw error;
    });
    const change = manageStatus(there, token, { id: 'ben', token });
    await gate.waitFor(2).finally(() => gate.open());

    expect((await minting).status).toBe(200);
    expect((await change).text).toBe(STATUS_UPDATED);
    const entries: { action: string }[] = await (
      await sealed(here.dataSource)
    ).query('SELECT action FROM journal_entries ORDER BY id');
    expect(entries.map(({ action }) => action)).toEqual(['user.status_token.minted', 'user.status.changed']);
    expect(replicas.takeFailures()).toEqual([]);
  });
});
