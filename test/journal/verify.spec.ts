import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { Journal } from '../../src/journal/journal';
import { verifyJournal } from '../../src/journal/verify-journal';
import { StatementLog } from '../database/statement-log';
import { asJudged } from '../support/as-judged';
import { openMigratedDatabase } from '../support/migrated-database';
import { sealed } from '../support/sealed';
import { promote } from './promote';
import { TamperedJournal } from './tampered-journal';

let journal: TamperedJournal;
/** The positions of the changes. */
let ann: number, ben: number, eve: number, flo: number;

beforeAll(async () => {
  journal = await TamperedJournal.open();
  [ann, ben, eve, flo] = journal.changes as [number, number, number, number];
});
afterAll(() => journal.close());

const statement = (text: string) => (manager: EntityManager) => manager.query(text);
const append = (manager: EntityManager, entry: Parameters<Journal['append']>[2][number], reason?: string) =>
  new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'test' }, reason }), [entry]);

describe('verification of the journal', () => {
  it('accepts a journal that nobody has altered', async () => {
    expect(await verifyJournal(journal.dataSource)).toEqual({
      entries: 7,
      changes: 4,
      seals: 4,
      since: expect.any(Date),
      late: 0,
      broken: undefined,
      newest: { position: `${flo + 1}`, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('seals nothing on a standby, and accepts what that has', async () => {
    const onStandby = async (manager: EntityManager) => {
      await promote(manager, ['hal']);
      await manager.query('SET TRANSACTION READ ONLY');
    };
    expect(await journal.verdictAfter(onStandby, false)).toMatchObject({ changes: 4, seals: 4, broken: undefined });
  });

  it('accepts an empty journal', async () => {
    const empty = await openMigratedDatabase();
    try {
      expect(await verifyJournal(empty.dataSource)).toMatchObject({ entries: 0, seals: 0, broken: undefined });
    } finally {
      await empty.close();
    }
  });

  it('seals with the documented hash', async () => {
    type Row = { position: string; at: Date; changes: number; hash: Buffer };
    const seals: Row[] = await journal.dataSource.query('SELECT * FROM journal_seals ORDER BY position');
    const changes: { content: string }[] = await journal.dataSource.query(
      `SELECT json_build_array('change/2', position, (extract(epoch FROM at) * 1000)::bigint, continues, action, actor_kind, actor_id,
         granted_by, user_id, user_ids, user_key, user_keys, workspace_id, workspace_ids, before, after, request_id, traceparent, personal)::text AS content
       FROM journal_changes ORDER BY position`,
    );
    for (const [index, { position, at, changes: count, hash }] of seals.entries()) {
      if (index === 0) continue;
      const expected = createHash('sha256')
        .update(seals[index - 1]?.hash ?? '')
        .update(`["seal/1", ${position}, ${at.getTime()}, ${count}]`)
        .update(
          createHash('sha256')
            .update(changes[index - 1]?.content ?? '')
            .digest(),
        );
      expect(hash.toString('hex')).toBe(expected.digest('hex'));
    }
  });

  it('reads about 10,000 changes with one statement', async () => {
    const database = await openMigratedDatabase();
    try {
      await database.dataSource.query(`
        SELECT journal_append_changes('system', 'mill', NULL, NULL, NULL, NULL, array_agg(
          ROW('user.created', ARRAY['user-' || n], NULL, NULL, NULL)::journal_new_change)) FROM generate_series(1, 30000) AS n`);
      const log = StatementLog.of(database.dataSource);
      expect(await verifyJournal(database.dataSource)).toMatchObject({ changes: 30_000, seals: 3, broken: undefined });
      expect(log.take().filter((text) => text.includes('lag(hash')).length).toBe(4);
    } finally {
      await database.close();
    }
  });

  it('reports a transaction that has waited for more than a minute, and seals it', async () => {
    const late = statement(
      `INSERT INTO journal_inbox (at, actor_kind, actor_id, changes) VALUES (now() - interval '61 seconds', 'system', 'x',
         ARRAY[ROW('user.created', ARRAY['ann'], NULL, NULL, NULL)::journal_new_change])`,
    );
    expect(await journal.verdictAfter(late)).toMatchObject({ late: 1, changes: 5, broken: undefined });
  });
});

describe('verification of the journal finds', () => {
  it.each([
    `at = at + interval '1 millisecond'`,
    `at = 'infinity'`,
    `at = '-infinity'`,
    'continues = true',
    `action = 'user.status.changed'`,
    `actor_kind = 'system'`,
    `actor_id = 'zoe'`,
    `granted_by = 'zoe'`,
    `user_id = 'zoe'`,
    'user_id = NULL',
    'user_key = 7',
    `workspace_id = 'atlas'`,
    `workspace_ids = '{atlas}'`,
    `before = '{"type": "manager"}'`,
    'before = NULL',
    `after = '{"type": "guest"}'`,
    `request_id = ''`,
    `traceparent = ''`,
    `personal = sha256('')`,
    'position = position + 1000',
  ])('a change that was altered by %s', async (change) => {
    const { broken } = await journal.verdictAfter(
      statement(`UPDATE journal_changes SET ${change} WHERE position = ${eve}`),
    );
    expect(broken).toMatch(new RegExp(`^The journal is broken between the entries ${eve} and ${eve}: `));
  });

  it.each([
    `user_ids = '{ben,cyd,eve}'`,
    `user_ids = '{ben,cyd}'`,
    // The same elements, but readers find each entry by its subscript.
    `user_ids = '[0:2]={ben,cyd,dee}'`,
    `user_ids = '[2:4]={ben,cyd,dee}'`,
    `user_keys = '{1,2,3}'`,
    `user_keys = '[0:2]={NULL,NULL,NULL}'`,
  ])('a change of several users that was altered by %s', async (change) => {
    const { broken } = await journal.verdictAfter(
      statement(`UPDATE journal_changes SET ${change} WHERE position = ${ben}`),
    );
    expect(broken).toBe(
      `The journal is broken between the entries ${ben} and ${ben + 2}: the entries do not fit their seal.`,
    );
  });

  const INSERT = (position: string) =>
    `INSERT INTO journal_changes (position, at, actor_kind, bytes, entries, continues, action, actor_id, user_id)
     VALUES (${position}, now(), 'user', 0, 1, false, 'user.status.changed', 'ada', 'zoe')`;

  it('a change that was added before the newest seal, by a role that can only write, with a new head', async () => {
    const between = (manager: EntityManager) =>
      manager
        .query(INSERT(`${ben + 1}`))
        .then(() => manager.query('INSERT INTO journal_seals SELECT position + 1, at, 1, hash FROM journal_head'));
    const { broken } = await journal.verdictAfter(between, false);
    expect(broken).toBe(`The journal is broken between the entries ${ben} and ${ben + 2}: 1 changes were added.`);
  });

  it('a change that was added after the newest seal', async () => {
    const { broken } = await journal.verdictAfter(statement(INSERT(`${flo + 2}`)), false);
    expect(broken).toBe(`The journal is broken after entry ${flo + 1}: changes were added without a seal.`);
  });

  it('a change that was deleted', async () => {
    const { broken } = await journal.verdictAfter(statement(`DELETE FROM journal_changes WHERE position = ${eve}`));
    expect(broken).toBe(`The journal is broken between the entries ${eve} and ${eve}: 1 of 1 changes are missing.`);
  });

  it('the oldest change, if it was deleted', async () => {
    const { broken } = await journal.verdictAfter(statement(`DELETE FROM journal_changes WHERE position = ${ann}`));
    expect(broken).toBe(`The journal is broken between the entries 1 and ${ann}: 1 of 1 changes are missing.`);
  });

  it('changes that were reordered', async () => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_changes SET position = 1 WHERE position = ${ann}`);
      await manager.query(`UPDATE journal_changes SET position = ${ann} WHERE position = ${eve}`);
      await manager.query(`UPDATE journal_changes SET position = ${eve} WHERE position = 1`);
    });
    expect(broken).toBe(`The journal is broken between the entries 1 and ${ann}: the entries do not fit their seal.`);
  });

  it.each([
    'TRUNCATE journal_changes, journal_subjects',
    `DELETE FROM journal_seals WHERE position = ${'(SELECT max(position) FROM journal_seals)'}`,
    'DELETE FROM journal_seals WHERE position = 0',
    'TRUNCATE journal_changes, journal_subjects, journal_seals',
    `UPDATE journal_seals SET position = position + 1 WHERE position = (SELECT max(position) FROM journal_seals)`,
    `UPDATE journal_seals SET at = at + interval '1 second' WHERE position = (SELECT max(position) FROM journal_seals)`,
    `UPDATE journal_seals SET at = 'infinity'`,
    `UPDATE journal_seals SET hash = sha256('')`,
    'DELETE FROM journal_seals WHERE position = (SELECT min(position) FROM journal_seals WHERE position > 0)',
  ])('a journal that was cut or rewritten: %s', async (tamper) => {
    const { broken } = await journal.verdictAfter(statement(tamper));
    expect(broken).toMatch(/^The journal is broken/);
  });

  it.each([
    [`DELETE FROM journal_subjects WHERE subject = 'borealis'`],
    [`DELETE FROM journal_subjects WHERE subject = 'cyd'`],
    [`UPDATE journal_subjects SET subject = 'dee-too' WHERE subject = 'dee'`],
  ])('an entry that is no longer listed under its user or workspace: %s', async (tamper) => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await append(manager, { action: 'user.workspaces.assigned', user: 'ann', workspaces: ['atlas', 'borealis'] });
      await sealed(manager);
      await manager.query(tamper);
    });
    expect(broken).toMatch(/^Entry \d+ is broken: it is not listed under each of its users and workspaces\.$/);
  });

  it('an entry that is listed under a user whom it does not concern', async () => {
    const { broken } = await journal.verdictAfter(
      statement(`INSERT INTO journal_subjects VALUES ('u', 'zoe', ${eve})`),
      false,
    );
    expect(broken).toBe('The journal is broken: 1 rows of journal_subjects belong to no entry.');
  });

  it.each([
    `UPDATE journal_personal SET reason = 'Because'`,
    `UPDATE journal_personal SET after = '{"email": "eve@example.com"}'`,
    'UPDATE journal_personal SET salt = gen_random_uuid()',
    'DELETE FROM journal_personal',
    `INSERT INTO journal_personal (position, salt, reason) SELECT min(position), gen_random_uuid(), 'Because' FROM journal_changes`,
  ])('a reason or personal facts: %s', async (tamper) => {
    const facts = { email: 'ann@example.com', displayName: 'Ann', status: 'active' } as const;
    const created = { ...facts, permissions: [], workspaces: [], groups: [] };
    const { broken } = await journal.verdictAfter(async (manager) => {
      await append(manager, { action: 'user.created', user: 'ann', after: created }, 'New');
      await sealed(manager);
      await manager.query(tamper);
    });
    expect(broken).toMatch(/^Entry \d+ is broken: its reason or personal facts are missing or were altered\.$/);
  });
});

describe('verification since a seal that was kept', () => {
  it('reads only what was sealed after it', async () => {
    const { newest } = await verifyJournal(journal.dataSource);
    const more = (manager: EntityManager) => promote(manager, ['hal', 'ida']);
    expect(await journal.verdictAfter(more, false, newest)).toMatchObject({ entries: 2, changes: 1, seals: 1 });
    const forged = async (manager: EntityManager) => {
      await more(manager);
      await sealed(manager);
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE user_id = 'hal'`);
    };
    expect((await journal.verdictAfter(forged, true, newest)).broken).toMatch(/do not fit their seal/);
  });

  it.each([
    [
      'rewritten',
      `UPDATE journal_seals SET hash = sha256('') WHERE position = ${'(SELECT max(position) FROM journal_seals)'}`,
    ],
    ['cut back to before it', 'DELETE FROM journal_seals WHERE position = (SELECT max(position) FROM journal_seals)'],
  ])('finds a journal that was %s', async (_, tamper) => {
    const { newest } = await verifyJournal(journal.dataSource);
    const { broken } = await journal.verdictAfter(statement(tamper), true, newest);
    expect(broken).toBe('The journal is broken: it has lost entries up to the kept seal, or they were rewritten.');
  });
});
