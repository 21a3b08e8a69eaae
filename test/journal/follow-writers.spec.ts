import { setTimeout as delay } from 'node:timers/promises';
import type { JournalEntryDto, JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import { startTestService, type TestService } from '../support/test-service';
import { openTestDatabase } from '../support/test-database';
import type { OpenedDatabase } from '@user-administration/postgres';
import { SeededRandom } from '../races/seeded-random';
import { ask, manageStatus } from '../support/ask';
import { querySealed } from '../support/sealed';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { JournalWriter } from './journal-writer';

const WRITERS = 50;
const TURNS = 12;
const LONGEST_MS = 150;

describeOnServer('followers of the journal', () => {
  let database: OpenedDatabase;
  /** Two processes on one database: followers ask each of them by turns. */
  let services: [TestService, TestService];
  let turn = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
    const environment = { JWT_SECRET: 'two processes have one secret between them' };
    services = [await startTestService({ database, environment }), await startTestService({ database, environment })];
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    await database.close();
  });

  /** Beside many writers the service may be busy. Like every follower, it then asks again from where it was. */
  async function page(after: string, query = ''): Promise<JournalPageDto> {
    for (;;) {
      const service = services[turn++ % 2] as TestService;
      const { status, text, headers } = await ask(`${service.url}/api/journal?after=${after}${query}`, {
        headers: { authorization: `Bearer ${service.serviceToken()}` },
      });
      if (status === 503) {
        await delay(Number(headers.get('retry-after')) * 1_000);
        continue;
      }
      expect([status, text]).toEqual([200, expect.any(String)]);
      return JSON.parse(text) as JournalPageDto;
    }
  }

  const reasonsOf = ({ entries }: JournalPageDto) => entries.map(({ reason }) => reason);

  it('receive the entries of a transaction that commits late, which does not delay other entries', async () => {
    const [slow, quick] = [new JournalWriter(database.url, 'slow'), new JournalWriter(database.url, 'quick')];
    const { next: start } = await page('now');
    await slow.begin();
    await slow.append('begun first');
    await quick.begin();
    await quick.append('ended first');
    await quick.commit();

    const early = await page(start as string, '&user=quick&wait=25');
    expect(reasonsOf(early)).toEqual(['ended first']);
    const late = page(early.next as string, '&wait=25&limit=1');
    await slow.commit();
    expect(reasonsOf(await late)).toEqual(['begun first']);
    // The rest of a change that a page has cut.
    const rest = await page((await late).next as string);
    expect(rest.entries.map(({ user }) => user)).toEqual(['slow-too']);
    expect(await page(rest.next as string)).toEqual({ entries: [], next: rest.next });
  });

  it('find what was answered, whichever process they ask', async () => {
    const [one, other] = services;
    await one.directory.user('zoe', { type: 'administrator' });
    await one.directory.user('ben');
    for (let change = 1; change <= 20; change++) {
      const token = one.tokenOf('zoe');
      expect((await manageStatus(change % 2 ? one : other, token, { id: 'ben', token })).status).toBe(200);
      const { text } = await ask(`${(change % 2 ? other : one).url}/api/journal?user=ben&limit=200`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect((JSON.parse(text) as JournalPageDto).entries).toHaveLength(change);
    }
  });

  it('receive no entry of a transaction that is rolled back', async () => {
    const writer = new JournalWriter(database.url, 'undone');
    const { next } = await page('now');
    const told = page(next as string, '&wait=1');
    await writer.begin();
    await writer.append('undone');
    await writer.rollback();
    expect((await told).entries).toEqual([]);
  });

  /** Follows until the last entry of all has come. */
  async function follow(after: string, query: string): Promise<JournalEntryDto[]> {
    const told: JournalEntryDto[] = [];
    for (let next = after; told.at(-1)?.reason !== 'last';) {
      const { entries, next: following } = await page(next, `&wait=25${query}`);
      told.push(...entries);
      next = following as string;
    }
    return told;
  }

  /** One writer's transactions: each takes a while, and ends in one of all the ways that there are. */
  async function write(index: number): Promise<string[]> {
    const random = new SeededRandom(index);
    const writer = new JournalWriter(database.url, `writer-${index}`);
    const committed: string[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const reasons = Array.from({ length: 1 + random.below(3) }, (_, entry) => `${index} ${turn} ${entry}`);
      await writer.begin();
      for (const reason of reasons) await writer.append(reason);
      await delay(random.below(LONGEST_MS));
      const end = random.below(10);
      if (end === 0) await writer.rollback();
      else if (end === 1) writer.kill();
      else if (end === 2) writer.killWhileCommitting();
      else {
        await writer.commit();
        committed.push(...reasons);
      }
    }
    return committed;
  }

  /** What the journal holds in the end: a writer that was killed while it committed does not know whether it did. */
  async function written(): Promise<{ id: string; user: string; reason: string }[]> {
    return querySealed(
      services[0].dataSource,
      `SELECT id, user_id AS user, reason FROM journal_entries WHERE user_id LIKE 'writer-%' ORDER BY id`,
    );
  }

  it(`receive every entry of ${WRITERS} writers once, in order, however long transactions take and however they end`, async () => {
    const { next: start } = await page('now');
    const ofOne = '&user=writer-3';
    const followers = ['', '&limit=7', '&actor=writers&limit=200', ofOne].map((query) =>
      follow(start as string, query),
    );
    const committed = await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index)));
    await eventually(async () => expect(await JournalWriter.count(services[0].dataSource)).toBe(0));
    const last = new JournalWriter(database.url, 'writer-3');
    await last.begin();
    await last.append('last', 'writers', false);
    await last.commit();

    const told = await Promise.all(followers);
    const expected = await written();
    const reasons = new Set(expected.map(({ reason }) => reason));
    expect(committed.flat().filter((reason) => !reasons.has(reason))).toEqual([]);
    expect(expected.length).toBeGreaterThan(WRITERS * TURNS);
    for (const [index, entries] of told.entries()) {
      const wanted = index === told.length - 1 ? expected.filter(({ user }) => user === 'writer-3') : expected;
      expect(entries.map(({ id, user, reason }) => ({ id, user, reason }))).toEqual(wanted);
    }
  });
});
