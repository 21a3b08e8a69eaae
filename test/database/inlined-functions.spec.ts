import { useMigratedDatabase } from '../support/migrated-database';

const database = useMigratedDatabase();

// A call of an SQL function that is not inlined is parsed and planned in every transaction.
it.each([
  ['has_ended', 'SELECT has_ended(active_until, end_refused_at) FROM users'],
  ['is_ahead', 'SELECT is_ahead(active_until) FROM users'],
  ['held_permissions', 'SELECT user_key FROM held_permissions()'],
  ['user_type_fingerprint', 'SELECT user_type_fingerprint(id) FROM users'],
])('PostgreSQL puts %s in the place of a call', async (name, statement) => {
  const plan: unknown = await database.dataSource.query(`EXPLAIN (VERBOSE) ${statement}`);
  expect(JSON.stringify(plan)).toContain('Output');
  expect(JSON.stringify(plan)).not.toContain(name);
});
