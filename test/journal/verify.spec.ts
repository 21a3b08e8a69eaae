import type { DataSource, EntityManager } from 'typeorm';
import { Journal } from '../../src/journal/journal';
import { type JournalVerdict, verifyJournal, walkJournal } from '../../src/journal/verify-journal';
import { entryHash, sealHash } from './entry-hash';
import { type JournalDatabase, openJournalDatabase, promote } from './journal-database';
import { asJudged } from '../support/as-judged';

let database: JournalDatabase;
let dataSource: DataSource;
let chain: number;

/** One chain of four seals: entry 1; entries 2, 3 and 4; entry 5; entries 6 and 7. */
beforeAll(async () => {
  database = await openJournalDatabase();
  dataSource = database.dataSource;
  // On one connection, and so in one chain.
  await dataSource.transaction(async (manager) => {
    for (const users of [['ann'], ['ben', 'cyd', 'dee'], ['eve'], ['flo', 'gus']]) await promote(manager, users);
  });
  const chains: { chain: number }[] = await dataSource.query('SELECT DISTINCT chain FROM journal_seals');
  chain = chains[0]?.chain as number;
  expect(chains).toHaveLength(1);
});
afterAll(() => database.close());

class Undo extends Error {}

/** What a verification says of the journal after somebody who can switch off its triggers has been at it. Undone at the end. */
async function verdictAfter(tamper: (manager: EntityManager) => Promise<unknown>): Promise<JournalVerdict> {
  let verdict: JournalVerdict | undefined;
  const tampering = dataSource.transaction(async (manager) => {
    for (const table of ['journal_entries', 'journal_seals', 'journal_heads', 'journal_workspace_seals']) {
      await manager.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    }
    await manager.query('ALTER TABLE journal_entries DROP CONSTRAINT journal_entries_seal_unique');
    await tamper(manager);
    verdict = await walkJournal(manager);
    throw new Undo();
  });
  await expect(tampering).rejects.toThrow(Undo);
  return verdict as JournalVerdict;
}

const statement = (text: string) => (manager: EntityManager) => manager.query(text);

async function rehashEntry(manager: EntityManager, id: number): Promise<void> {
  await manager.query('UPDATE journal_entries SET hash = $2 WHERE id = $1', [id, await entryHash(manager, id)]);
}

async function rehashSeal(manager: EntityManager, number: number): Promise<void> {
  await manager.query('UPDATE journal_seals SET hash = $2 WHERE number = $1', [
    number,
    await sealHash(manager, number),
  ]);
}

it('finds a journal whole that nobody has touched', async () => {
  expect(await verifyJournal(dataSource)).toEqual({ entries: 7, seals: 4, chains: 1, broken: undefined });
});

it('finds an empty journal whole', async () => {
  const empty = await openJournalDatabase();
  try {
    expect(await verifyJournal(empty.dataSource)).toEqual({ entries: 0, seals: 0, chains: 0, broken: undefined });
  } finally {
    await empty.close();
  }
});

it('reckons the hashes as they are documented', async () => {
  await dataSource.transaction(async (manager) => {
    for (const id of [1, 2, 3, 4, 5, 6, 7]) {
      expect(await manager.query('SELECT hash FROM journal_entries WHERE id = $1', [id])).toEqual([
        { hash: await entryHash(manager, id) },
      ]);
    }
    for (const number of [1, 2, 3, 4]) {
      expect(await manager.query('SELECT hash FROM journal_seals WHERE number = $1', [number])).toEqual([
        { hash: await sealHash(manager, number) },
      ]);
    }
  });
});

describe('an entry that was altered is named', () => {
  it.each([
    `at = at + interval '1 millisecond'`,
    `action = 'user.status.changed'`,
    `actor_kind = 'system'`,
    `actor_id = 'zoe'`,
    `granted_by = 'zoe'`,
    `user_id = 'ann'`,
    `user_id = NULL`,
    `workspace_ids = '{atlas}'`,
    `before = '{"type": "manager"}'`,
    `before = NULL`,
    `after = '{"type": "guest"}'`,
    `reason = ''`,
    `request_id = ''`,
    `hash = sha256('')`,
    `hash = ''`,
    `position = 2, user_id = 'ann'`,
  ])('%s', async (change) => {
    const { broken } = await verdictAfter(statement(`UPDATE journal_entries SET ${change} WHERE id IN (3, 6)`));

    expect(broken).toEqual({ entry: '3', what: 'Entry 3 is broken: it does not fit its hash.' });
  });
});

describe('the first break is named', () => {
  const after = (entry: string, what: string) => ({
    entry,
    what: `The journal is broken after entry ${entry}: ${what.replaceAll('{chain}', `chain ${chain}`)}.`,
  });

  it('when an entry is gone from the middle of its seal', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_entries WHERE id = 3'));
    expect(broken).toEqual(after('2', 'entry 2 of seal 2 of {chain} is missing'));
  });

  it('when an entry is gone from the end of its seal', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_entries WHERE id = 4'));
    expect(broken).toEqual(after('3', 'entry 3 of seal 2 of {chain} is missing'));
  });

  it('when every entry of a seal is gone', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_entries WHERE id IN (2, 3, 4)'));
    expect(broken).toEqual(after('1', 'entry 1 of seal 2 of {chain} is missing'));
  });

  it('when a seal is gone', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_seals WHERE number = 2'));
    expect(broken).toEqual(after('1', 'seal 2 of {chain} is missing'));
  });

  it('when a seal is gone with its entries', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('DELETE FROM journal_entries WHERE seal = 2');
      await manager.query('DELETE FROM journal_seals WHERE number = 2');
    });
    expect(broken).toEqual(after('1', 'seal 2 of {chain} is missing'));
  });

  it('when the newest seals are gone with their entries', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('DELETE FROM journal_entries WHERE seal > 2');
      await manager.query('DELETE FROM journal_seals WHERE number > 2');
    });
    expect(broken).toEqual(after('4', '{chain} has lost its newest seals, 2 in number'));
  });

  it('when everything is gone', async () => {
    const { broken } = await verdictAfter(statement('TRUNCATE journal_entries, journal_seals'));
    expect(broken?.what).toBe(
      `The journal is broken before its first entry: chain ${chain} has lost its newest seals, 4 in number.`,
    );
  });

  it('when a head is gone', async () => {
    const { broken } = await verdictAfter(statement(`DELETE FROM journal_heads WHERE chain = ${chain}`));
    expect(broken).toEqual(after('7', '{chain} has no head'));
  });

  it('when every head is gone, by the chain that has entries', async () => {
    const { broken } = await verdictAfter(statement('DELETE FROM journal_heads'));
    expect(broken).toEqual(after('7', '{chain} has no head'));
  });

  const headless = (number: number) => ({
    what: `The journal is broken before its first entry: chain ${number} has no head.`,
  });

  it('when a whole chain is gone with its head', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('TRUNCATE journal_entries, journal_seals, journal_workspace_seals');
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
    const { broken } = await verdictAfter(
      statement('TRUNCATE journal_entries, journal_seals, journal_workspace_seals, journal_heads'),
    );
    expect(broken).toEqual(headless(0));
  });

  it('rather than a chain that is gone, of which no entry can be named', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('DELETE FROM journal_heads WHERE chain <> $1', [chain]);
      await manager.query(`UPDATE journal_entries SET reason = 'x' WHERE id = 5`);
    });
    expect(broken).toEqual({ entry: '5', what: 'Entry 5 is broken: it does not fit its hash.' });
  });

  it('when a seal says another number of entries', async () => {
    const { broken } = await verdictAfter(statement('UPDATE journal_seals SET entries = 2 WHERE number = 2'));
    expect(broken?.what).toBe(`Entry 4 is broken: it was not sealed with the others of seal 2 of chain ${chain}.`);
  });

  it('when a seal has another hash', async () => {
    const { broken } = await verdictAfter(statement(`UPDATE journal_seals SET hash = sha256('') WHERE number = 3`));
    expect(broken?.what).toBe(
      `Entry 5 is broken: seal 3 of chain ${chain} does not fit its entries and the one before.`,
    );
  });

  it('when an entry was altered and hashed anew', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_entries SET actor_id = 'zoe' WHERE id = 5`);
      await rehashEntry(manager, 5);
    });
    expect(broken?.what).toMatch(/^Entry 5 is broken: seal 3 .* does not fit/);
  });

  it('when an entry was altered and its seal made anew: the one after it does not fit', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_entries SET actor_id = 'zoe' WHERE id = 5`);
      await rehashEntry(manager, 5);
      await rehashSeal(manager, 3);
    });
    expect(broken?.what).toMatch(/^Entry 6 is broken: seal 4 .* does not fit/);
  });

  it('when every seal from there on was made anew: the head does not fit', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_entries SET actor_id = 'zoe' WHERE id = 5`);
      await rehashEntry(manager, 5);
      await rehashSeal(manager, 3);
      await rehashSeal(manager, 4);
    });
    expect(broken).toEqual(after('7', '{chain} ends in another seal than its head knows'));
  });

  it('when two entries of one seal changed places', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await manager.query('UPDATE journal_entries SET position = 5 - position WHERE id IN (3, 4)');
      await rehashEntry(manager, 3);
      await rehashEntry(manager, 4);
    });
    expect(broken?.what).toMatch(/^Entry 2 is broken: seal 2 .* does not fit/);
  });

  const forge = (seal: number, position: number) => async (manager: EntityManager) => {
    await manager.query(
      `INSERT INTO journal_entries (at, action, actor_kind, actor_id, user_id, workspace_ids, chain, seal, position, hash)
       VALUES (now(), 'user.status.changed', 'user', 'ada', 'ben', '{}', $1, $2, $3, '')`,
      [chain, seal, position],
    );
    const [forged]: { id: string }[] = await manager.query('SELECT max(id) AS id FROM journal_entries');
    await rehashEntry(manager, Number(forged?.id));
  };

  it('when an entry was written past the journal', async () => {
    const { broken } = await verdictAfter(forge(5, 1));
    expect(broken?.what).toMatch(/^Entry \d+ is broken: there is no seal 5 of chain/);
  });

  it.each([3, 4])('when an entry was slipped into a seal, as its entry %s', async (position) => {
    const { broken } = await verdictAfter(forge(2, position));
    expect(broken?.what).toMatch(/^Entry \d+ is broken: it was not sealed with the others of seal 2/);
  });

  it('when a whole seal was slipped in at the end', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await forge(5, 1)(manager);
      await manager.query('INSERT INTO journal_seals (chain, number, entries, hash) VALUES ($1, 5, 1, $2)', [
        chain,
        await sealHash(manager, 5),
      ]);
    });
    expect(broken?.what).toMatch(
      /^The journal is broken after entry \d+: chain \d+ has more seals than its head knows/,
    );
  });

  it('when an entry was taken out of what is listed under its workspace', async () => {
    const { broken } = await verdictAfter(async (manager) => {
      await new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'test' } }), [
        { action: 'user.workspaces.assigned', user: 'ben', workspaces: ['atlas', 'borealis'] },
      ]);
      await manager.query(`DELETE FROM journal_workspace_seals WHERE workspace_id = 'borealis'`);
    });
    expect(broken?.what).toMatch(/^Entry \d+ is not listed under each of its workspaces\.$/);
  });

  it('of many', async () => {
    const { broken, entries } = await verdictAfter(async (manager) => {
      await manager.query('DELETE FROM journal_entries WHERE id = 7');
      await manager.query(`UPDATE journal_entries SET reason = 'x' WHERE id IN (5, 4)`);
      await manager.query('DELETE FROM journal_seals WHERE number = 3');
    });
    expect(broken).toEqual({ entry: '4', what: 'Entry 4 is broken: it does not fit its hash.' });
    expect(entries).toBe(6);
  });
});
