import type { EntityManager } from 'typeorm';
import { Journal } from '../../src/journal/journal';
import { asJudged } from '../support/as-judged';
import { BEN, doesNotFit, EVE, FLO, rehash, statement, TamperedJournal } from './tampered-journal';

let journal: TamperedJournal;

beforeAll(async () => {
  journal = await TamperedJournal.open();
});
afterAll(() => journal.close());

describe('verification of the journal names the first break after a forgery', () => {
  it('in the next change, when a change was altered and hashed again', async () => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE id = ${BEN}`);
      await rehash(manager, BEN);
    });
    expect(broken).toEqual(doesNotFit(EVE));
  });

  it('in the head, when a change was altered, and it and all later ones were hashed again', async () => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE id = ${EVE}`);
      await rehash(manager, EVE, FLO);
    });
    expect(broken).toEqual(journal.breakAfter(FLO + 1, '{chain} ends in another change than its head says'));
  });

  /** A change in the name of Ada, written past the journal, with a hash that is right if there is one before it. */
  const forge =
    (number: number, inChain = journal.chain) =>
    async (manager: EntityManager) => {
      await manager.query(
        `INSERT INTO journal_changes (moment, number, at, chain, entries, action, actor_kind, actor_id, user_id, hash, bytes)
       VALUES (1, $2, now(), $1, 1, 'user.status.changed', 'user', 'ada', 'ben', '', 0)`,
        [inChain, number],
      );
      const [forged]: { id: string }[] = await manager.query('SELECT id FROM journal_changes WHERE moment = 1');
      await rehash(manager, Number(forged?.id));
    };

  it('when a change was added after the head', async () => {
    const { broken } = await journal.verdictAfter(forge(5));
    expect(broken?.what).toMatch(/^The journal is broken after entry \d+: the head of chain \d+ is 1 behind\.$/);
  });

  it('when a change was added after the head, with a gap', async () => {
    const { broken } = await journal.verdictAfter(forge(9));
    expect(broken).toEqual(journal.breakAfter(FLO + 1, 'change 5 of {chain} is missing'));
  });

  it.each([0, -1, 2, 4])('when a change was added to the chain under the used or invalid number %s', async (number) => {
    const { broken } = await journal.verdictAfter(forge(number));
    expect(broken?.what).toMatch(/is broken: chain \d+ has no place for it\.$/);
  });

  it.each([-1, 64])('when a change was added to a chain that does not exist: %s', async (other) => {
    const { broken } = await journal.verdictAfter(forge(1, other));
    expect(broken?.what).toMatch(new RegExp(`after entry \\d+: chain ${other} has no head\\.$`));
  });

  it.each([
    [`DELETE FROM journal_subjects WHERE subject = 'borealis'`],
    [`DELETE FROM journal_subjects WHERE subject = 'ben'`],
    [`UPDATE journal_subjects SET subject = 'dee' WHERE subject = 'ben'`],
  ])('when an entry is no longer listed under its user or workspace: %s', async (tamper) => {
    const { broken } = await journal.verdictAfter(async (manager) => {
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

  it('when an entry is listed under a user that it does not concern', async () => {
    const { broken } = await journal.verdictAfter(
      statement(`INSERT INTO journal_subjects SELECT 'u', 'zoe', moment, 2 FROM journal_changes WHERE id = ${EVE}`),
    );
    expect(broken).toEqual({ what: 'The journal is broken: 1 rows of journal_subjects belong to no entry.' });
  });
});
