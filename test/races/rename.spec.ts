import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { assign, manageStatus, post } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { useReplicas } from './replicas';

const ACT = { actor: { kind: 'system', id: 'test' } } as const;
const LOCK = `SELECT FROM users WHERE id = $1 FOR UPDATE`;

describeOnServer('a renaming', () => {
  const replicas = useReplicas();
  let token: string;

  beforeAll(async () => {
    token = replicas.at(0).serviceToken();
  });
  beforeEach(async () => {
    await replicas.directory.clear();
    await replicas.directory.workspace('atlas');
    await replicas.directory.user('ada', { type: 'administrator' });
    await replicas.directory.user('zoe', { type: 'administrator' });
    for (const id of ['ben', 'cyd']) await replicas.directory.user(id);
  });
  afterEach(() => expect(replicas.takeFailures()).toEqual([]));

  const rename = async (id: string, to: string, by = token): Promise<number> =>
    (await post(`${replicas.at(0).url}/api/users/${id}/rename`, { id: to }, { authorization: `Bearer ${by}` })).status;
  const into = (userIds: string[], by = token) =>
    assign(replicas.at(1), by, { userIds, workspaces: ['atlas'] }).then(({ status }) => status);
  const toggle = (id: string, granted: string, by = token) =>
    manageStatus(replicas.at(1), by, { id, token: granted }).then(({ status }) => status);
  const mint = (id: string, by = token) =>
    post(
      `${replicas.at(1).url}/api/users/status-tokens`,
      { id, status: 'inactive' },
      { authorization: `Bearer ${by}` },
    );
  const users = async () =>
    (await replicas.query<{ line: string }[]>(`SELECT id || ' ' || status AS line FROM users ORDER BY id`)).map(
      ({ line }) => line,
    );

  /** Starts the requests one after the other, so that each waits behind those before it for the user. */
  async function inTurn<T extends unknown[]>(
    id: string,
    ...requests: { [K in keyof T]: () => Promise<T[K]> }
  ): Promise<T> {
    return (await replicas.gate(LOCK, [id])).inTurn<T>(...requests);
  }

  /** What a request is answered that waits for one user while another is renamed. */
  const whileRenaming = async (who: string, waitsFor: string, request: () => Promise<number>) =>
    (await replicas.gate(LOCK, [waitsFor])).during(request, async () => expect(await rename(who, `${who}2`)).toBe(200));

  it('refuses an assignment that waited for the old id, and nobody joins', async () => {
    expect(
      await inTurn(
        'ben',
        () => rename('ben', 'benjamin'),
        () => into(['ben', 'cyd']),
      ),
    ).toEqual([200, 400]);
    expect((await replicas.directory.state()).workspaces).toEqual([]);
    expect(await into(['benjamin', 'cyd'])).toBe(200);
  });

  it('takes along what was assigned before it', async () => {
    expect(
      await inTurn(
        'ben',
        () => into(['ben', 'cyd']),
        () => rename('ben', 'benjamin'),
      ),
    ).toEqual([200, 200]);
    expect((await replicas.directory.state()).workspaces).toEqual(['benjamin in atlas', 'cyd in atlas']);
  });

  it('refuses a caller who waited, and who has another id now', async () => {
    const own = replicas.at(0).tokenOf('ada');
    expect(await whileRenaming('ada', 'ben', () => into(['ben'], own))).toBe(401);
    expect((await replicas.directory.state()).workspaces).toEqual([]);
  });

  it('refuses a caller who waited for another renaming, and who has another id now', async () => {
    const own = replicas.at(0).tokenOf('ada');
    expect(await whileRenaming('ada', 'ben', () => rename('ben', 'benjamin', own))).toBe(401);
    expect(await users()).toContain('ben active');
  });

  it('refuses status tokens that are being used, for the user and by the user who made them', async () => {
    const made = JSON.parse((await mint('ben', replicas.at(0).tokenOf('zoe'))).text) as { token: string };
    expect(
      await inTurn(
        'ben',
        () => rename('ben', 'benjamin'),
        () => toggle('ben', made.token),
      ),
    ).toEqual([200, 401]);
    const other = JSON.parse((await mint('cyd', replicas.at(0).tokenOf('zoe'))).text) as { token: string };
    expect(await whileRenaming('zoe', 'cyd', () => toggle('cyd', other.token))).toBe(401);
    expect(await users()).toEqual(['ada active', 'benjamin active', 'cyd active', 'zoe2 active']);
  });

  it('makes no status token for an id that the user has left', async () => {
    const [renamed, minted] = await inTurn(
      'ben',
      () => rename('ben', 'benjamin'),
      () => mint('ben'),
    );
    expect([renamed, minted.status]).toEqual([200, 400]);
  });

  it('gives an id to one of two who want it, and swaps none', async () => {
    expect((await Promise.all([rename('ben', 'dee'), rename('cyd', 'dee')])).toSorted()).toEqual([200, 409]);
    await replicas.directory.clear();
    for (const id of ['ben', 'cyd']) await replicas.directory.user(id);
    for (let round = 0; round < 20; round++) {
      expect(await Promise.all([rename('ben', 'cyd'), rename('cyd', 'ben')])).toEqual([409, 409]);
    }
    // They can wait for each other, and the database ends one of them, who tries again.
    replicas.takeFailures();
  });

  it('and a deletion of one user leave one of them', async () => {
    const remove = async (id: string) =>
      (
        await fetch(`${replicas.at(1).url}/api/users/${id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    expect(
      await inTurn(
        'ben',
        () => rename('ben', 'benjamin'),
        () => remove('ben'),
      ),
    ).toEqual([200, 404]);
    expect(
      await inTurn(
        'cyd',
        () => remove('cyd'),
        () => rename('cyd', 'cyril'),
      ),
    ).toEqual([204, 404]);
    expect(await users()).toEqual(['ada active', 'benjamin active', 'zoe active']);
  });

  it('waits for an import, which takes nobody for new or missing who got another id meanwhile', async () => {
    const { app, dataSource } = replicas.at(1);
    const userTypes = app.get(UserTypeService);
    const lines = ['zoe', 'ben'].map((id) => JSON.stringify({ user: { id } }));
    lines.push('{"permission":{"id":"administer","grants":"administrator"}}');
    lines.push('{"user":{"id":"ada","permissions":["administer"]}}');
    await importDirectory(dataSource, lines, ACT, { userTypes });
    // The first whom the import locks, so that it has none of the others yet.
    const gate = await replicas.gate(LOCK, ['ada']);
    const importing = importDirectory(dataSource, lines, ACT, {
      userTypes,
      deactivateMissing: { atMost: () => 1, spares: [] },
    });
    // Only the import waits for the gate. Others can wait for each other, to seal the journal.
    while ((await gate.holding()) === 0);
    const renaming = rename('ben', 'benjamin');
    await gate.waitFor(2);
    await gate.open();
    expect(await importing).toMatchObject({ created: { user: 0 }, missing: { deactivated: 1 } });
    expect(await renaming).toBe(200);
    expect(await users()).toEqual(['ada active', 'benjamin active', 'cyd inactive', 'zoe active']);
  });
});
