import { EndsClock } from '../../packages/testing/src/ends-clock';
import { Expiry } from '../../src/expiry/expiry';
import { UndoRequestService } from '../../src/users/undo-request.service';
import { describeOnServer } from '../support/describe-on-server';
import { at } from '../support/ends';
import { newestEntries } from '../support/sealed';
import type { TestService } from '../support/test-service';
import { type Provider, ScimApi } from '../scim/scim-api';
import { type Act, load, put, takeOut } from './acts';
import { byService, remove } from './record-acts';
import { call } from '../support/record-calls';
import { post } from '../support/ask';
import { useReplicas } from './replicas';
import { writeSmallDirectory } from '../support/small-directory';

const ACT = { actor: { kind: 'service', id: 'provisioning' } } as const;
const HOUR = 3600;
const BEN = `SELECT FROM users WHERE id = 'ben' FOR UPDATE`;
/** What a process does that is frozen before it commits. */
const CARRY_OUT = `SELECT carry_out_ends(1000, 5000, 'users.read', '-infinity', 0, '-infinity', 0, NULL, 'system', 'user-admin expiry', NULL, NULL, NULL, NULL)`;
const PLACES = ['atlas', 'atlas-managers'];

const carryOut = ({ app }: TestService): Promise<void> => app.get(Expiry).carryOut();

describeOnServer('an end that has passed', () => {
  const replicas = useReplicas();
  let clock: EndsClock;
  let okta: Provider;
  let assignment: string;

  beforeAll(async () => {
    // Only the tests carry ends out.
    for (const { app } of replicas.both) await app.get(Expiry).beforeApplicationShutdown();
    clock = new EndsClock(replicas.both[0].dataSource);
  });

  beforeEach(async () => {
    await clock.set(0);
    const service = replicas.at(0);
    await writeSmallDirectory(service);
    okta = await ScimApi.at(service).provider();
    await okta.call('POST', '/Users', { userName: 'ben', externalId: 'ben' });
    await assign({ userIds: ['ben'], workspaces: ['atlas'], groups: ['atlas-managers'], until: at(HOUR) });
    const [entry] = await newestEntries(service.dataSource, 1, { action: ['user.workspaces.assigned'] });
    assignment = entry?.id ?? '';
    await clock.set(HOUR + 60);
  });

  afterEach(async () => {
    expect(await replicas.falseTypes()).toEqual([]);
    expect(replicas.takeFailures()).toEqual([]);
  });

  async function assign(body: object, operation = 'workspace-assign', service = replicas.at(0)): Promise<void> {
    const { status, text } = await post(`${service.url}/api/users/${operation}`, body, byService(service).headers);
    if (status !== 200) throw new Error(`${status}: ${text}`);
  }

  /** The places that a user is in, by the rows. */
  async function placesOf(id: string): Promise<string[]> {
    const { workspaces, groups } = await replicas.directory.state();
    return [...workspaces, ...groups]
      .map((line) => line.split(' in '))
      .filter(([user]) => user === id)
      .map(([, place]) => place ?? '');
  }

  /** How often ends took memberships of a user. */
  async function timesEnded(user: string): Promise<number> {
    const entries = await newestEntries(replicas.at(0).dataSource, 100, {
      action: ['user.workspaces.unassigned'],
    });
    return entries.filter(
      ({ id, user: of, actor }) => BigInt(id) > BigInt(assignment) && of === user && actor.id === 'user-admin expiry',
    ).length;
  }

  const rename: Act = async (service) => {
    const { status } = await call(service, 'POST', '/api/users/ben/rename', {
      ...byService(service),
      body: { id: 'benny' },
    });
    if (status !== 200) throw new Error(`${status}`);
  };
  const removed =
    (path: string): Act =>
    async (service) => {
      const status = await remove(path)(service);
      if (status !== 204) throw new Error(`${status}`);
    };
  const undo: Act = async ({ app }) => {
    await app.get(UndoRequestService).execute(assignment, {}, ACT);
  };
  const scim =
    (op: 'add' | 'remove'): Act =>
    async (service) => {
      const path = op === 'add' ? 'members' : 'members[value eq "ben"]';
      const operations = [{ op, path, ...(op === 'add' && { value: [{ value: 'ben' }] }) }];
      const { status, text } = await okta
        .at(service)
        .call('PATCH', '/Groups/atlas-managers', { Operations: operations });
      if (status !== 204) throw new Error(`${status}: ${text}`);
    };

  describe.each<[what: string, act: Act, user: string, left: string[]]>([
    ['an assignment without an end', put(['ben'], ['atlas'], ['atlas-managers']), 'ben', PLACES],
    ['an unassignment', takeOut(['ben'], ['atlas']), 'ben', []],
    ['a renaming', rename, 'benny', []],
    ['a deletion of the user', removed('/api/users/ben'), 'ben', []],
    ['an erasure', removed('/api/users/ben?erase=true'), 'ben', []],
    ['a deletion of the workspace', removed('/api/workspaces/atlas'), 'ben', []],
    ['a deletion of the group', removed('/api/groups/atlas-managers'), 'ben', []],
    ['an undoing', undo, 'ben', []],
    ['an import', load({ user: { id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'] } }), 'ben', PLACES],
    ['an addition by SCIM', scim('add'), 'ben', PLACES],
    ['a removal by SCIM', scim('remove'), 'ben', []],
  ])('and %s', (_, act, user, left) => {
    it('that came first: the end takes only what it left', async () => {
      const gate = await replicas.gate(BEN);
      await gate.during(
        () => act(replicas.at(1)),
        () => carryOut(replicas.at(0)),
      );
      const before = await placesOf(user);
      await carryOut(replicas.at(0));
      expect(await placesOf(user)).toEqual(left);
      expect(await timesEnded(user)).toBe(before.length > left.length ? 1 : 0);
    });

    it('that waited for the end: it finds nothing, or makes it anew', async () => {
      const gate = await replicas.gate(CARRY_OUT);
      await gate.during(() => act(replicas.at(1)));
      await carryOut(replicas.at(0));
      expect(await placesOf(user)).toEqual(left);
      expect(await timesEnded('ben')).toBe(1);
    });
  });

  it('is carried out once by two processes at once', async () => {
    await Promise.all(replicas.both.map(carryOut));
    expect(await placesOf('ben')).toEqual([]);
    expect(await timesEnded('ben')).toBe(1);
  });

  it('is carried out by a round that the same process asks for while another one is under way', async () => {
    await clock.set(0);
    await assign({ userIds: ['max'], workspaces: ['borealis'], until: at(2 * HOUR) });
    await clock.set(HOUR + 60);
    // A trigger holds the first round.
    await replicas.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$`);
    await replicas.query('CREATE TRIGGER hold AFTER DELETE ON workspace_memberships EXECUTE FUNCTION hold()');
    const gate = await replicas.gate('SELECT pg_advisory_xact_lock(4711)');
    try {
      await gate.during(
        () => carryOut(replicas.at(0)),
        async () => {
          await clock.set(2 * HOUR + 60);
          const second = carryOut(replicas.at(0));
          await replicas.query('SELECT');
          await gate.open();
          await second;
          expect(await placesOf('max')).toEqual([]);
        },
      );
    } finally {
      await replicas.query('DROP TRIGGER hold ON workspace_memberships');
      await replicas.query('DROP FUNCTION hold');
    }
  });

  it('is not forgotten when a process freezes in the middle of carrying it out', async () => {
    const frozen = await replicas.gate(CARRY_OUT);
    await carryOut(replicas.at(1));
    expect(await placesOf('ben')).toEqual(PLACES);
    await frozen.open();
    await carryOut(replicas.at(1));
    expect(await placesOf('ben')).toEqual([]);
    expect(await timesEnded('ben')).toBe(1);
  });

  it('of as many as are carried out at once, all busy, holds up no other', async () => {
    await clock.set(0);
    await replicas.query(`INSERT INTO users (id) SELECT 'busy-' || n FROM generate_series(1, 1000) AS n`);
    await replicas.query(
      `INSERT INTO workspace_memberships (user_key, workspace_key, ends_at)
       SELECT u.key, w.key, $1 FROM users AS u, workspaces AS w WHERE u.id LIKE 'busy-%' AND w.id = 'borealis'`,
      [at(60)],
    );
    await clock.set(HOUR + 60);
    const gate = await replicas.gate(`SELECT FROM workspaces WHERE id = 'borealis' FOR UPDATE`);
    await carryOut(replicas.at(0));
    expect(await placesOf('ben')).toEqual([]);
    expect((await replicas.directory.state()).workspaces.filter((line) => line.startsWith('busy-'))).toHaveLength(1000);
    await gate.open();
    await carryOut(replicas.at(0));
    expect((await replicas.directory.state()).workspaces.filter((line) => line.startsWith('busy-'))).toEqual([]);
  });

  it('of one user who is busy is left to the next round, and holds up no other', async () => {
    await clock.set(0);
    await assign({ userIds: ['max'], workspaces: ['borealis'], until: at(HOUR) });
    await clock.set(HOUR + 60);
    const gate = await replicas.gate(BEN);
    await carryOut(replicas.at(0));
    expect([await placesOf('max'), await placesOf('ben')]).toEqual([[], PLACES]);
    await gate.open();
    await carryOut(replicas.at(0));
    expect(await placesOf('ben')).toEqual([]);
  });

  it('meets many assignments without an end, and never deadlocks', async () => {
    const users = ['ben', 'max', 'cyd'];
    for (let round = 1; round <= 15; round++) {
      await clock.set(0);
      await assign({ userIds: users, workspaces: ['borealis', 'atlas'], until: at(HOUR) });
      await clock.set(HOUR + 60);
      await Promise.all([
        ...replicas.both.map(carryOut),
        put(users, ['atlas', 'borealis'])(replicas.at(0)),
        put([...users].reverse(), ['borealis', 'atlas'])(replicas.at(1)),
        ...replicas.both.map(carryOut),
        put(['cyd', 'ben'], ['atlas'])(replicas.at(1)),
      ]);
      await carryOut(replicas.at(0));
      for (const user of users) expect(await placesOf(user)).toEqual(expect.arrayContaining(['atlas', 'borealis']));
      for (const user of users) await takeOut([user], ['atlas', 'borealis'])(replicas.at(0));
    }
  }, 120_000);

  it('that would leave no administrator is refused, and carried out once there is another', async () => {
    const active = async () =>
      (
        await replicas.query<{ id: string }[]>(
          `SELECT id FROM users WHERE type = 'administrator' AND status = 'active' ORDER BY id`,
        )
      ).map(({ id }) => id);
    const [last, ...others] = await active();
    await replicas.query('UPDATE users SET active_until = $1 WHERE id = ANY ($2)', [at(HOUR), [last, ...others]]);
    await carryOut(replicas.at(0));
    const left = await active();
    expect(left).toHaveLength(1);
    expect(await placesOf('ben')).toEqual([]);
    await replicas.directory.user('new-admin', { type: 'administrator', permissions: ['administer'] });
    await clock.set(HOUR + 90);
    await carryOut(replicas.at(1));
    expect(await active()).toEqual([...left, 'new-admin'].sort());
    await clock.set(HOUR + 130);
    await Promise.all(replicas.both.map(carryOut));
    expect(await active()).toEqual(['new-admin']);
  });
});
