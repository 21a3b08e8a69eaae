import { Journal } from '../../src/journal/journal';
import { verifyJournal } from '../../src/journal/verify-journal';
import { StatementLog } from '../database/statement-log';
import { asJudged } from '../support/as-judged';
import { openMigratedDatabase } from '../support/migrated-database';
import { linkHash } from './link-hash';
import { ANN, BEN, doesNotFit, EVE, FLO, statement, TamperedJournal } from './tampered-journal';

let journal: TamperedJournal;

beforeAll(async () => {
  journal = await TamperedJournal.open();
});
afterAll(() => journal.close());

describe('verification of the journal', () => {
  it('accepts a journal that nobody has altered', async () => {
    expect(await verifyJournal(journal.dataSource)).toEqual({
      entries: 7,
      changes: 4,
      chains: 1,
      broken: undefined,
      point: [{ chain: journal.chain, number: 4n, hash: expect.any(Buffer) }],
    });
  });

  it('accepts an empty journal', async () => {
    const empty = await openMigratedDatabase();
    try {
      expect(await verifyJournal(empty.dataSource)).toEqual({ entries: 0, changes: 0, chains: 0, point: [] });
    } finally {
      await empty.close();
    }
  });

  it('computes the documented hash of each change', async () => {
    await journal.dataSource.transaction(async (manager) => {
      for (const id of [ANN, BEN, EVE, FLO]) {
        expect(await manager.query('SELECT hash FROM journal_changes WHERE id = $1', [id])).toEqual([
          { hash: await linkHash(manager, id) },
        ]);
      }
    });
  });

  it('reads at most 2,000 changes with one statement', async () => {
    const log = StatementLog.of(journal.dataSource);
    const verdict = await journal.verdictAfter(async (manager) => {
      const users = Array.from({ length: 4_500 }, (_, user) => [`user-${user}`]);
      const change = { action: 'user.type.changed', after: { type: 'member' } } as const;
      const entries = users.map(([user], index) => ({ ...change, user, workspaces: [`workspace-${index}`] }));
      await new Journal().append(manager, asJudged({ actor: { kind: 'system', id: 'test' } }), entries);
      log.take();
    });
    expect(verdict).toMatchObject({ entries: 4_507, changes: 4_504, broken: undefined });
    expect(log.take().filter((text) => text.includes('lag(hash')).length).toBeGreaterThanOrEqual(3);
  });

  describe('names the first entry of a change that was altered', () => {
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
    ])('by %s', async (change) => {
      const { broken } = await journal.verdictAfter(
        statement(`UPDATE journal_changes SET ${change} WHERE id IN (${EVE}, ${FLO})`),
      );

      expect(broken).toEqual(doesNotFit(EVE));
    });

    it.each([
      `user_ids = '{ben,cyd,eve}'`,
      `user_ids = '{ben,cyd}'`,
      // The same elements, but readers find each entry by its subscript.
      `user_ids = '[0:2]={ben,cyd,dee}'`,
      `user_ids = '[2:4]={ben,cyd,dee}'`,
      `user_ids = '[9:11]={ben,cyd,dee}'`,
      `entries = 2`,
    ])('of several users, by %s', async (change) => {
      const { broken } = await journal.verdictAfter(
        statement(`UPDATE journal_changes SET ${change} WHERE id = ${BEN}`),
      );

      expect(broken?.entry).toBe(`${BEN}`);
      expect(broken?.what).toMatch(/^The change with the entries 2048 to \d+ is broken: it does not fit its hash\.$/);
    });
  });
});
