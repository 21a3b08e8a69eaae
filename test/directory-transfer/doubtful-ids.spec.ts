import { DOUBTFUL_IDS } from '../../src/plugins/transfer/doubtful-ids';
import { useMigratedDatabase } from '../support/migrated-database';

const database = useMigratedDatabase();

it('odd ids are found by their index, however many users there are', async () => {
  const { dataSource } = database;
  await dataSource.query(`INSERT INTO users (id) SELECT 'u' || n FROM generate_series(1, 20000) AS n`);
  await dataSource.query(`INSERT INTO users (id) VALUES ('00815'), ('one two'), ('=x'), ('9.0')`);
  await dataSource.query('ANALYZE users');
  await dataSource.transaction(async (manager) => {
    await manager.query(
      `CREATE TEMPORARY TABLE staged_records (line integer, kind text, id text COLLATE "C", doubt text) ON COMMIT DROP`,
    );
    await manager.query(`INSERT INTO staged_records VALUES (1, 'user', '815', NULL), (2, 'user', 'onetwo', NULL)`);
    await manager.query('ANALYZE staged_records');
    const found: { line: number; other: string }[] = await manager.query(DOUBTFUL_IDS);
    expect(found.map(({ line, other }) => [line, other])).toEqual([
      [1, '00815'],
      [2, 'one two'],
    ]);
    const rows: { 'QUERY PLAN': string }[] = await manager.query(`EXPLAIN ${DOUBTFUL_IDS}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('users_odd_ids');
    expect(plan).not.toContain('Seq Scan on users');
  });
});
