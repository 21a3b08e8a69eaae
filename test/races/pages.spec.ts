import { type ListFilter, USER_FILTERS } from '../../src/records/list-filters';
import { toUserBody } from '../../src/records/record-bodies';
import { RecordReader } from '../../src/records/record-reader';
import { User } from '../../src/directory/user.entity';
import { describeOnServer } from '../support/describe-on-server';
import { useTestService } from '../support/test-service';
import { Gate } from './gate';

const userId = (number: number) => `u${String(number).padStart(4, '0')}`;

/** The last 320 of 2,000 users. While the gate is closed, the statement that reads the page waits at its first key. */
const LAST: ListFilter = {
  kind: 'set',
  parameters: { first: userId(1_680) },
  probe: '(SELECT own.id > :first FROM users AS own WHERE own.key = record.key)',
  keys: 'SELECT key FROM (SELECT key, id FROM users WHERE wait_at_gate() OFFSET 0) AS users WHERE id > :first',
};

describeOnServer('a page of a list', () => {
  const service = useTestService();

  beforeAll(async () => {
    await service.dataSource.query(`
      INSERT INTO users (id, type) SELECT 'u' || lpad(n::text, 4, '0'), 'member' FROM generate_series(1, 2000) AS n`);
    await service.dataSource.query(`
      CREATE FUNCTION wait_at_gate() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
        IF current_query() LIKE 'SELECT "record"%' THEN
          PERFORM pg_advisory_xact_lock_shared(1);
        END IF;
        RETURN true;
      END $$`);
  });

  it('skips no user while most of the users on earlier pages stop matching the filter', async () => {
    const gate = await Gate.close(service.config.databaseUrl as string, 'SELECT pg_advisory_xact_lock(1)', []);
    const query = { type: 'member', last: true, sort: 'id', limit: 50 } as const;
    const filters = { type: USER_FILTERS.type, last: () => LAST };
    const page = service.app.get(RecordReader).page(User, query, toUserBody, filters);
    await gate.waitFor(1);
    await gate.execute(`UPDATE users SET type = 'guest' WHERE id <= $1`, [userId(1_680)]);
    await gate.commit();
    const { records, next } = await page;
    expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => userId(1_681 + index)));
    expect(next).not.toBeNull();
  });
});
