import type { EntityManager } from 'typeorm';
import { readPoint, writePoint } from '../../src/journal/verified-point';
import { verifyJournal } from '../../src/journal/verify-journal';
import { promote } from './promote';
import { linkHash } from './link-hash';
import { EVE, FLO, rehash, TamperedJournal } from './tampered-journal';

let journal: TamperedJournal;

beforeAll(async () => {
  journal = await TamperedJournal.open();
});
afterAll(() => journal.close());

describe('verification since a point that was kept', () => {
  const since = async () =>
    readPoint(`a kept output\n${writePoint((await verifyJournal(journal.dataSource)).point)}\n`);
  const more = (manager: EntityManager) => promote(manager, ['hal', 'ida']);

  it('reads only the changes after it', async () => {
    const point = await since();
    const verdict = await journal.after(more, (manager) => verifyJournal(manager, point));
    expect(verdict).toMatchObject({ entries: 2, changes: 1, chains: 1, broken: undefined });
    expect(verdict.point).toEqual([{ chain: journal.chain, number: 5n, hash: expect.any(Buffer) }]);
  });

  it('finds a change that was altered after it', async () => {
    const point = await since();
    const tamper = async (manager: EntityManager) => {
      await more(manager);
      await manager.query(`UPDATE journal_changes SET reason = 'x' WHERE number = 5`);
    };
    const { broken } = await journal.after(tamper, (manager) => verifyJournal(manager, point));
    expect(broken?.what).toMatch(/does not fit its hash/);
  });

  it('finds a chain that was rewritten before it, together with its head', async () => {
    const point = await since();
    const tamper = async (manager: EntityManager) => {
      await manager.query(`UPDATE journal_changes SET actor_id = 'zoe' WHERE id = ${EVE}`);
      await rehash(manager, EVE, FLO);
      await manager.query('UPDATE journal_heads SET hash = $2 WHERE chain = $1', [
        journal.chain,
        await linkHash(manager, FLO),
      ]);
    };
    expect((await journal.after(tamper, (manager) => verifyJournal(manager))).broken).toBeUndefined();
    const { broken } = await journal.after(tamper, (manager) => verifyJournal(manager, point));
    expect(broken?.what).toBe(
      `The journal is broken: chain ${journal.chain} ends in another change than its head says.`,
    );
  });

  it('finds a chain that was cut back to before it, together with its head', async () => {
    const point = await since();
    const tamper = async (manager: EntityManager) => {
      await manager.query(`DELETE FROM journal_changes WHERE id = ${FLO}`);
      await manager.query(
        `UPDATE journal_heads SET number = 3, hash = (SELECT hash FROM journal_changes WHERE id = ${EVE}) WHERE chain = $1`,
        [journal.chain],
      );
    };
    const { broken } = await journal.after(tamper, (manager) => verifyJournal(manager, point));
    expect(broken?.what).toBe(`The journal is broken: the head of chain ${journal.chain} is 1 behind.`);
  });

  it.each(['', 'journal-point-1.', 'journal-point-1.AAAA', 'nothing of the kind'])(
    'does not accept %p as a point',
    (text) => {
      expect(readPoint(text)).toBeUndefined();
    },
  );

  it('does not accept a point that was cut short or altered', async () => {
    const point = writePoint((await verifyJournal(journal.dataSource)).point);
    expect(readPoint(point.slice(0, -1))).toBeUndefined();
    expect(readPoint(point.replace('journal-point-1.A', 'journal-point-1.B'))).toBeUndefined();
  });
});
