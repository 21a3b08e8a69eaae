import { Logger } from '@nestjs/common';
import { withClient } from '../../packages/testing/src/with-client';
import { describeOnServer } from '../support/describe-on-server';
import { openIcuDatabase } from '../support/icu-database';
import { startTestService } from '../support/test-service';
import { useMigratedDatabase } from '../support/migrated-database';

const database = useMigratedDatabase();

/** The order of bytes, which no upgrade of the operating system or of ICU changes. */
const BY_BYTES = `(0, '"C"'::regcollation)`;
const OURS = `relnamespace = 'public'::regnamespace`;

it('no index has text in an order of the database', async () => {
  const others = await database.dataSource.query<object[]>(`
    SELECT indexrelid::regclass::text AS index, collation_oid::regcollation::text AS collation
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid CROSS JOIN unnest(indcollation::oid[]) AS collation_oid
    WHERE ${OURS} AND collation_oid NOT IN ${BY_BYTES}`);
  expect(others).toEqual([]);
});

it('no column has text in an order of the database, so that no comparison of a column has', async () => {
  const others = await database.dataSource.query<object[]>(`
    SELECT relname AS relation, attname AS column, attcollation::regcollation::text AS collation
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE ${OURS} AND relkind <> 'i' AND NOT attisdropped AND attcollation NOT IN ${BY_BYTES} AND relname NOT LIKE 'migrations%'`);
  expect(others).toEqual([]);
});

describeOnServer('a database whose order of text has changed', () => {
  it('is served, and a start warns of it until somebody has looked after it', async () => {
    const database = await openIcuDatabase();
    if (!database) return;
    const name = new URL(database.url).pathname.slice(1);
    const execute = (statement: string) => withClient(database.url, (client) => client.query(statement));
    const warnings = async (): Promise<string[]> => {
      const warn = jest.spyOn(Logger.prototype, 'warn');
      const service = await startTestService({ database: { url: database.url, poolSize: 2 } });
      const said = warn.mock.calls
        .map(([message]) => String(message))
        .filter((message) => message.includes('collation'));
      warn.mockRestore();
      await service.close();
      return said;
    };
    expect(await warnings()).toEqual([]);
    await execute(`UPDATE pg_database SET datcollversion = '1.2' WHERE datname = '${name}'`);
    expect(await warnings()).toEqual([
      expect.stringMatching(
        /^The order of text of this database has changed, .* \(collation version 1\.2, now \d.*\)\. The service orders/,
      ),
    ]);
    await execute(`ALTER DATABASE ${name} REFRESH COLLATION VERSION`);
    expect(await warnings()).toEqual([]);
    await database.close();
  });
});
