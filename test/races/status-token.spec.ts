import { manageStatus, post, STATUS_UPDATED } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { useReplicas } from './replicas';
import { querySealed } from '../support/sealed';

describeOnServer('a status token that is created while its user is being changed', () => {
  const replicas = useReplicas();
  let token: string;

  beforeAll(async () => {
    await replicas.directory.user('ben');
    token = replicas.both[0].serviceToken();
  });

  it('waits for that change, so that the journal has both in the order in which they happened', async () => {
    const [here, there] = replicas.both;
    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'ben' FOR NO KEY UPDATE`);
    const body = { id: 'ben', status: 'inactive' };
    // Those who wait for a row get it in the order in which they came.
    const [minted, changed] = await gate.inTurn(
      () => post(`${here.url}/api/users/status-tokens`, body, { authorization: `Bearer ${token}` }),
      () => manageStatus(there, token, { id: 'ben', token }),
    );

    expect(minted.status).toBe(200);
    expect(changed.text).toBe(STATUS_UPDATED);
    const entries: { action: string }[] = await querySealed(
      here.dataSource,
      'SELECT action FROM journal_entries ORDER BY id',
    );
    expect(entries.map(({ action }) => action)).toEqual(['user.status_token.minted', 'user.status.changed']);
    expect(replicas.takeFailures()).toEqual([]);
  });
});
