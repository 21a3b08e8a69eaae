import { UndoRequestService } from '../../src/users/undo-request.service';
import { describeOnServer } from '../support/describe-on-server';
import { newestEntries } from '../support/sealed';
import { setStatus } from './acts';
import { Replicas } from './replicas';

const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;
const CHANGE = `SELECT assign_statuses('{ben}', $1, false, false, 'service', 'other', NULL, NULL, NULL, NULL)`;

describeOnServer('undoing', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await Replicas.start();
    await replicas.directory.user('ben');
  });
  afterAll(() => replicas.close());

  it('leaves what was changed while it waited for the lock, before anybody has sealed it', async () => {
    const service = replicas.at(0);
    await setStatus(['ben'], 'inactive')(service);
    const [entry] = await newestEntries(service.dataSource, 1);
    // There and back again, so that only the journal shows it.
    const gate = await replicas.gate(CHANGE, ['active']);
    await gate.execute(CHANGE, ['inactive']);
    const undoing = service.app.get(UndoRequestService).execute(entry?.id as string, {}, ACT, { representation: true });
    await gate.waitFor(1);
    const unsealed = await replicas.gate('SELECT FROM journal_head FOR UPDATE');
    await gate.commit();
    expect((await undoing)?.result).toEqual({ users: [], unchanged: 1, refused: [] });
    await unsealed.open();
    expect(await replicas.directory.state()).toMatchObject({ users: [{ id: 'ben', status: 'inactive' }] });
  });
});
