import type { DataSource, EntityManager } from 'typeorm';
import { Journal } from '../../src/journal/journal';
import { readPoint, writePoint } from '../../src/journal/verified-point';
import { type JournalVerdict, verifyJournal } from '../../src/journal/verify-journal';
import { linkHash } from './link-hash';
import { type JournalDatabase, openJournalDatabase, promote } from './journal-database';
import { asJudged } from '../support/as-judged';
import { StatementLog } from '../database/statement-log';

/** The ids of the first entries of the four changes, each of which leaves room for 1,024. */
const [ANN, BEN, EVE, FLO] = [1024, 2048, 3072, 4096] as const;

let database: JournalDatabase;
let dataSource: DataSource;
let chain: number;

/** One chain of four changes: to Ann; to Ben, Cyd and Dee; to Eve; to Flo and Gus. */
beforeAll(async () => {
  database = await openJournalDatabase();
  dataSource = database.dataSource;
  // On one connection, and so in one chain.
  await dataSource.transaction(async (manager) => {
    for (const users of [['ann'], ['ben', 'cyd', 'dee'], ['eve'], ['flo', 'gus']]) await promote(manager, users);
  });
  const chains: { chain: number }[] = await dataSource.query('SELECT DISTINCT chain FROM journal_changes');
  chain = chains[0]?.chain as number;
  expect(chains).toHaveLength(1);
});
afterAll(() => database.close());

class Undo extends Error {}

/** What somebody who can switch off the triggers has done, and what `look` sees then. Everything is undone at the end. */
async function after<T>(
  tamper: (manager: EntityManager) => Promise<unknown>,
  look: (manager: EntityManager) => Promise<T>,
) {
  let seen: T | undefined;
  const tampering = dataSource.transaction(async (manager) => {
    for (const table of ['journal_changes', 'journal_heads', 'journal_subjects']) {
      await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    }
    await tamper(manager);
    seen = await look(manager);
    throw new Undo();
  });
  await expect(tampering).rejects.toThrow(Undo);
  return seen as T;
}

const verdictAfter = (tamper: (manager: EntityManager) => Promise<unknown>): Promise<JournalVerdict> =>
  after(tamper, (manager) => verifyJournal(manager));

const statement = (text: string) => (manager: EntityManager) => manager.query(text);

async function rehash(manager: EntityManager, ...ids: number[]): Promise<void> {
  for (const id of ids) {
    await manager.query('UPDATE journal_changes SET hash = $2 WHERE id = $1', [id, await linkHash(manager, id)]);
  }
}

it('accepts a journal that was not manipulated', async () => {
  expect(await verifyJournal(dataSource)).toEqual({
    entries: 7,
    changes: 4,
    chains: 1,
    broken: undefined,
    point: [{ chain, number: 4n, hash: expect.any(Buffer) }],
  });
});

it('finds an empty journal whole', async () => {
  const empty = await openJournalDatabase();
  try {
    expect(await verifyJournal(empty.dataSource)).toEqual({ entries: 0, changes: 0, chains: 0, point: [] });
  } finally {
    await empty.close();
  }
});

it('computes the hashes as they are documented', async () => {
  await dataSource.transaction(async (manager) => {
    for (const id of [ANN, BEN, EVE, FLO]) {
      expect(await manager.query('SELECT hash FROM journal_changes WHERE id = $1', [id])).toEqual([
        { hash: await linkHash(manager, id) },
      ]);
    }
  });
});

it('reads at most 2,000 changes by one statement', async () => {
  const log = StatementLog.of(dataSource);
  const verdict = await verdictAfter(async (manager) => {
    const users = Array.from({ length: 4_500 }, (_, user) => [`user-${user}`]);
    const change = { action: 'user.type.changed', after: { type: 'member' } } as const;
    const entries = users.map(([user], index) => ({ ...change, user, workspaces: [`workspace-${index}`] }));
    await new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'test' } }), entries);
    log.take();
  });
  expect(verdict).toMatchObject({ entries: 4_507, changes: 4_504, broken: undefined });
  expect(log.take().filter((text) => text.includes('lag(hash')).length).toBeGreaterThanOrEqual(3);
});

describe('a change that was altered is named by its first entry', () => {
  it.each([
    `at = at + interval '1 millisecond'`,
    `at = 'infinity'`,
    `at = '-infinity'`,
    // By two: changes of the same millisecond have consecutive moments, which are unique.
    `moment = moment + 2`,
    `action = 'user.status.changed'`,
    `actor_kind = 'system'`,
    `actor_id = 'zoe'`,
    `granted_by = 'zoe'`,
    `user_id = 'zoe'`,
    `user_id = NULL`,
    `workspace_id = 'atlas'`,
    `workspace_ids = '{atlas}'`,
    `before = '{"type": "manager"}'`,
    `before = NULL`,
    `after = '{"type": "guest"}'`,
    `reason = ''`,
    `request_id = ''`,
    `hash = sha256('')`,
    `hash = ''`,
  ])('%s', async (change) => {
    const { broken } = await verdictAfter(
      statement(`UPDATE journal_changes SET ${change} WHERE id IN (${EVE}, ${FLO})`),
    );

    expect(broken).toEqual({ entry: `${EVE}`, what: `Entry ${EVE} is broken: it does not fit its hash.` });
  });

  it.each([
    `user_ids = '{ben,cyd,eve}'`,
    `user_ids = '{ben,cyd}'`,
    // The same elements, but readers find each entry by its subscript.
    `user_ids = '[0:2]={ben,cyd,dee}'`,
    `user_ids = '[2:4]={ben,cyd,dee}'`,
    `user_ids = '[9:11]={ben,cyd,dee}'`,
    `entries = 2`,
  ])('with others: %s', async (change) => {
    const { broken } = await verdictAfter(statement(`UPDATE journal_changes SET ${change} WHERE id = ${BEN}`));

    expect(broken?.entry).toBe(`${BEN}`);
    expect(broken?.what).toMatch(/^The change with the entries 2048 to \d+ is broken: it does not fit its hash\.$/);
  });
});

describe('the first break is named', () => {
  const breakAfter = (entry: number, what: string) => ({
    entry: `${entry}`,
    what: `The journal is broken after entry ${entry}: ${what.replaceAll('{chain}', `chain ${chain}`)}.`,
  });

  it('when a change is gone', async () => {
    const { broken } = await verdictAfter(statement(`DELETE FROM journal_changes WHERE id = ${EVE}`));
    expect(broken).toEqual(breakAfter(BEN + 2, 'change 3 of {chain} is missing'));
  });

  it('when a change is gone and the ones after it were made anew', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query(`DELETE FROM journal_changes WHERE id = ${EVE}`);
      await manager.query(`UPDATE journal_changes SET number = 3 WHERE id = ${FLO}`);
      await rehash(manager, FLO);
    });
    expect(broken).toEqual(breakAfter(FLO + 1, '{chain} has lost its newest changes, 1 in number'));
  });

  it('when the newest changes are gone', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_changes WHERE number > 2'));
    expect(broken).toEqual(breakAfter(BEN + 2, '{chain} has lost its newest changes, 2 in number'));
  });

  it('when everything is gone', async () => {
    const { broken } = await verdictAfter(statement('TRUNCATE journal_changes, journal_subjects'));
    expect(broken?.what).toBe(`The journal is broken: chain ${chain} has lost its newest changes, 4 in number.`);
  });

  it('when a head is gone', async () => {
    const { broken } = await verdictAfter(statement(`DELETE FROM journal_heads WHERE chain = ${chain}`));
    expect(broken).toEqual(breakAfter(FLO + 1, '{chain} has no head'));
  });

  it('when every head is gone, by the chain that has entries', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_heads'));
    expect(broken).toEqual(breakAfter(FLO + 1, '{chain} has no head'));
  });

  const headless = (number: number) => ({ what: `The journal is broken: chain ${number} has no head.` });

  it('when a whole chain is gone with its head', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('TRUNCATE journal_changes, journal_subjects');
      await manager.query('DELETE FROM journal_heads WHERE chain = $1', [chain]);
    });
    expect(broken).toEqual(headless(chain));
  });

  it('when the head is gone of a chain that nobody has used', async () => {
    const unused = (chain + 1) % 64;
    const { broken } = await verdictAfter(statement(`DELETE FROM journal_heads WHERE chain = ${unused}`));
    expect(broken).toEqual(headless(unused));
  });

  it('when nothing at all is left', async () => {
    const { broken } = await verdictAfter(statement('TRUNCATE journal_changes, journal_subjects, journal_heads'));
    expect(broken).toEqual(headless(0));
  });

  it('rather than a chain that is gone, of which no entry can be named', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('DELETE FROM journal_heads WHERE chain <> $1', [chain]);
      await manager.query(`UPDATE journal_changes SET reason = 'x' WHERE id = ${EVE}`);
    });
    expect(broken).toEqual({ entry: `${EVE}`, what: `Entry ${EVE} is broken: it does not fit its hash.` });
  });

  it('when a change was altered and hashed anew: the one after it does not fit', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE id = ${BEN}`);
      await rehash(manager, BEN);
    });
    expect(broken).toEqual({ entry: `${EVE}`, what: `Entry ${EVE} is broken: it does not fit its hash.` });
  });

  it('when every change from there on was hashed anew: the head does not fit', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE id = ${EVE}`);
      await rehash(manager, EVE, FLO);
    });
    expect(broken).toEqual(breakAfter(FLO + 1, '{chain} ends in another change than its head says'));
  });

  /** A change in the name of Ada, written past the journal, with a hash that is right if there is one before it. */
  const forge =
    (number: number, inChain = chain) =>
    async (manager: EntityManager) => {
      await manager.query(
        `INSERT INTO journal_changes (moment, number, at, chain, entries, action, actor_kind, actor_id, user_id, hash)
       VALUES (1, $2, now(), $1, 1, 'user.status.changed', 'user', 'ada', 'ben', '')`,
        [inChain, number],
      );
      const [forged]: { id: string }[] = await manager.query('SELECT id FROM journal_changes WHERE moment = 1');
      await rehash(manager, Number(forged?.id));
    };

  it('when a change was written past the head', async () => {
    const { broken } = await verdictAfter(forge(5));
    expect(broken?.what).toMatch(/^The journal is broken after entry \d+: the head of chain \d+ is 1 behind\.$/);
  });

  it('when a change was written past the head, with a gap', async () => {
    const { broken } = await verdictAfter(forge(9));
    expect(broken).toEqual(breakAfter(FLO + 1, 'change 5 of {chain} is missing'));
  });

  it.each([0, -1, 2, 4])('when a change was slipped into a chain, as number %s', async (number) => {
    const { broken } = await verdictAfter(forge(number));
    expect(broken?.what).toMatch(/is broken: chain \d+ has no place for it\.$/);
  });

  it.each([-1, 64])('when a change was written to a chain that does not exist: %s', async (other) => {
    const { broken } = await verdictAfter(forge(1, other));
    expect(broken?.what).toMatch(new RegExp(`after entry \\d+: chain ${other} has no head\\.$`));
  });

  it.each([
    [`DELETE FROM journal_subjects WHERE subject = 'borealis'`],
    [`DELETE FROM journal_subjects WHERE subject = 'ben'`],
    [`UPDATE journal_subjects SET subject = 'dee' WHERE subject = 'ben'`],
  ])('when an entry is no longer found by its user or workspace: %s', async (tamper) => {
    const { broken } = await verdictAfter(async (manager) => {
      const entries = ['ann', 'ben'].map(
        (user) => ({ action: 'user.workspaces.assigned', user, workspaces: ['atlas', 'borealis'] }) as const,
      );
      await new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'test' } }), entries);
      await manager.query(tamper);
    });
    expect(broken?.what).toMatch(
      /^The change with the entries .* is broken: it is not listed under each of its users and workspaces\.$/,
    );
  });

  it('when something is found by a user whom it does not concern', async () => {
    const { broken } = await verdictAfter(
      statement(`INSERT INTO journal_subjects SELECT 'u', 'zoe', moment, 2 FROM journal_changes WHERE id = ${EVE}`),
    );
    expect(broken).toEqual({ what: 'The journal is broken: 1 rows of journal_subjects belong to no entry.' });
  });
});

describe('a verification since a point', () => {
  const since = async () => readPoint(`a kept output\n${writePoint((await verifyJournal(dataSource)).point)}\n`);
  const more = (manager: EntityManager) => promote(manager, ['hal', 'ida']);

  it('reads only what came after it', async () => {
    const point = await since();
    const verdict = await after(more, (manager) => verifyJournal(manager, point));
    expect(verdict).toMatchObject({ entries: 2, changes: 1, chains: 1, broken: undefined });
    expect(verdict.point).toEqual([{ chain, number: 5n, hash: expect.any(Buffer) }]);
  });

  it('finds what was altered after it', async () => {
    const point = await since();
    const tamper = async (manager: EntityManager) => {
      await more(manager);
      await manager.query(`UPDATE journal_changes SET reason = 'x' WHERE number = 5`);
    };
    const { broken } = await after(tamper, (manager) => verifyJournal(manager, point));
    expect(broken?.what).toMatch(/does not fit its hash/);
  });

  it('finds a chain that was rewritten before it, with its head', async () => {
    const point = await since();
    const tamper = async (manager: EntityManager) => {
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE id = ${EVE}`);
      await rehash(manager, EVE, FLO);
      await manager.query('UPDATE journal_heads SET hash = $2 WHERE chain = $1', [chain, await linkHash(manager, FLO)]);
    };
    expect((await after(tamper, (manager) => verifyJournal(manager))).broken).toBeUndefined();
    const { broken } = await after(tamper, (manager) => verifyJournal(manager, point));
    expect(broken?.what).toBe(`The journal is broken: chain ${chain} ends in another change than its head says.`);
  });

  it('finds a chain that was taken back behind it, with its head', async () => {
    const point = await since();
    const tamper = async (manager: EntityManager) => {
      await manager.query(`DELETE FROM journal_changes WHERE id = ${FLO}`);
      await manager.query(
        `UPDATE journal_heads SET number = 3, hash = (SELECT hash FROM journal_changes WHERE id = ${EVE}) WHERE chain = $1`,
        [chain],
      );
    };
    const { broken } = await after(tamper, (manager) => verifyJournal(manager, point));
    expect(broken?.what).toBe(`The journal is broken: the head of chain ${chain} is 1 behind.`);
  });

  it.each(['', 'journal-point-1.', 'journal-point-1.AAAA', 'nothing of the kind'])('takes no %p for one', (text) => {
    expect(readPoint(text)).toBeUndefined();
  });

  it('takes none that was cut short or altered', async () => {
    const point = writePoint((await verifyJournal(dataSource)).point);
    expect(readPoint(point.slice(0, -1))).toBeUndefined();
    expect(readPoint(point.replace('journal-point-1.A', 'journal-point-1.B'))).toBeUndefined();
  });
});
