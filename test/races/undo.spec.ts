import { UndoRequestService } from '../../src/users/undo-request.service';
import { describeOnServer } from '../support/describe-on-server';
import { newestEntries, SEALING, sealed } from '../support/sealed';
import { put, setStatus, takeOut } from './acts';
import { create } from './record-acts';
import { useReplicas } from './replicas';

const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;
const CHANGE = `SELECT assign_statuses('{ben}', $1, false, false, 'service', 'other', NULL, NULL, NULL, NULL)`;

describeOnServer('undoing', () => {
  const replicas = useReplicas();

  beforeAll(async () => {
    await replicas.directory.user('ben');
  });

  it('leaves what was changed while it waited for the lock, before anybody has sealed it', async () => {
    const service = replicas.at(0);
    await setStatus(['ben'], 'inactive')(service);
    const [entry] = await newestEntries(service.dataSource, 1);
    // There and back again, so that only the journal shows it.
    const gate = await replicas.gate(CHANGE, ['active']);
    await gate.execute(CHANGE, ['inactive']);
    const undoing = service.app.get(UndoRequestService).execute(entry?.id as string, {}, ACT, { representation: true });
    await gate.waitFor(1);
    const unsealed = await replicas.gate(SEALING);
    await gate.commit();
    expect((await undoing)?.result).toEqual({ users: [], unchanged: 1, refused: [] });
    await unsealed.open();
    expect(await replicas.directory.state()).toMatchObject({ users: [{ id: 'ben', status: 'inactive' }] });
  });

  it.each<[kind: string, table: string, path: string, body: { id: string; name?: string; workspace?: string }]>([
    ['group', 'groups', '/api/groups', { id: 'group', name: 'New', workspace: 'home' }],
    ['workspace', 'workspaces', '/api/workspaces', { id: 'workspace', name: 'New' }],
    ['user', 'users', '/api/users', { id: 'user' }],
  ])('gives nothing to a new %s that was created while it waited for a lock', async (_kind, table, path, body) => {
    const service = replicas.at(0);
    const { directory } = replicas;
    await directory.clear();
    for (const id of ['first', 'user']) await directory.user(id);
    for (const id of ['home', 'workspace']) await directory.workspace(id);
    await directory.group('group', 'home');
    await put(['first', 'user'], ['home', 'workspace'], ['group'])(service);
    await takeOut(['first', 'user'], ['home', 'workspace'])(service);
    const [entry] = await newestEntries(service.dataSource, 1);
    await service.dataSource.query(`DELETE FROM ${table} WHERE id = $1`, [body.id]);

    const gate = await replicas.gate(`SELECT FROM users WHERE id = 'first' FOR UPDATE`);
    const undoing = service.app.get(UndoRequestService).execute(entry?.id as string, {}, ACT);
    await gate.waitFor(1);
    expect(await create(path, body)(replicas.at(1))).toBe(201);
    await sealed(service.dataSource);
    await gate.open();
    await undoing;
    const { workspaces, groups } = await directory.state();
    const ofNew = new RegExp(`^${body.id} in | in ${body.id}$`);
    expect([...workspaces, ...groups].filter((line) => ofNew.test(line))).toEqual([]);
    expect(workspaces).toContain('first in home');
  });
});
