import { BEN, doesNotFit, EVE, FLO, rehash, statement, TamperedJournal } from './tampered-journal';

let journal: TamperedJournal;

beforeAll(async () => {
  journal = await TamperedJournal.open();
});
afterAll(() => journal.close());

describe('verification of the journal names the first break after a deletion', () => {
  it('when a change was deleted', async () => {
    const { broken } = await journal.verdictAfter(statement(`DELETE FROM journal_changes WHERE id = ${EVE}`));
    expect(broken).toEqual(journal.breakAfter(BEN + 2, 'change 3 of {chain} is missing'));
  });

  it('when a change was deleted, and the later ones were renumbered and hashed again', async () => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await manager.query(`DELETE FROM journal_changes WHERE id = ${EVE}`);
      await manager.query(`UPDATE journal_changes SET number = 3 WHERE id = ${FLO}`);
      await rehash(manager, FLO);
    });
    expect(broken).toEqual(journal.breakAfter(FLO + 1, '{chain} has lost its newest changes, 1 in number'));
  });

  it('when the newest changes were deleted', async () => {
    const { broken } = await journal.verdictAfter(statement('DELETE FROM journal_changes WHERE number > 2'));
    expect(broken).toEqual(journal.breakAfter(BEN + 2, '{chain} has lost its newest changes, 2 in number'));
  });

  it('when all changes were deleted', async () => {
    const { broken } = await journal.verdictAfter(statement('TRUNCATE journal_changes, journal_subjects'));
    expect(broken?.what).toBe(
      `The journal is broken: chain ${journal.chain} has lost its newest changes, 4 in number.`,
    );
  });

  it('when the head of the chain was deleted', async () => {
    const { broken } = await journal.verdictAfter(
      statement(`DELETE FROM journal_heads WHERE chain = ${journal.chain}`),
    );
    expect(broken).toEqual(journal.breakAfter(FLO + 1, '{chain} has no head'));
  });

  it('when all heads were deleted, in the chain that has entries', async () => {
    const { broken } = await journal.verdictAfter(statement('DELETE FROM journal_heads'));
    expect(broken).toEqual(journal.breakAfter(FLO + 1, '{chain} has no head'));
  });

  const headless = (number: number) => ({ what: `The journal is broken: chain ${number} has no head.` });

  it('when a whole chain was deleted with its head', async () => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await manager.query('TRUNCATE journal_changes, journal_subjects');
      await manager.query('DELETE FROM journal_heads WHERE chain = $1', [journal.chain]);
    });
    expect(broken).toEqual(headless(journal.chain));
  });

  it('when the head of an unused chain was deleted', async () => {
    const unused = (journal.chain + 1) % 64;
    const { broken } = await journal.verdictAfter(statement(`DELETE FROM journal_heads WHERE chain = ${unused}`));
    expect(broken).toEqual(headless(unused));
  });

  it('when all changes and all heads were deleted', async () => {
    const { broken } = await journal.verdictAfter(
      statement('TRUNCATE journal_changes, journal_subjects, journal_heads'),
    );
    expect(broken).toEqual(headless(0));
  });

  it('in an altered entry, before a deleted chain that has no entry to name', async () => {
    const { broken } = await journal.verdictAfter(async (manager) => {
      await manager.query('DELETE FROM journal_heads WHERE chain <> $1', [journal.chain]);
      await manager.query(`UPDATE journal_changes SET reason = 'x' WHERE id = ${EVE}`);
    });
    expect(broken).toEqual(doesNotFit(EVE));
  });
});
