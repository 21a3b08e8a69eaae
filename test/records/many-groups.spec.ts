import { StatementLog } from '../database/statement-log';
import { call } from '../support/record-calls';
import { querySealed } from '../support/sealed';
import { useTestService } from '../support/test-service';

const MEMBERS = 400;
const GROUPS = 95;

const service = useTestService();

it('a deletion of a workspace whose members are in many groups takes a few megabytes at once', async () => {
  const { dataSource, directory } = service;
  await directory.user('ada', { type: 'administrator' });
  await directory.workspace('atlas');
  // Each in others, with the longest ids: 9.7 MB of them.
  await dataSource.query(
    `WITH place AS (SELECT key FROM workspaces), member AS (
       INSERT INTO users (id) SELECT 'member-' || n FROM generate_series(1, ${MEMBERS}) AS n
       RETURNING key, substr(id, 8)::integer AS n
     ), joined AS (
       INSERT INTO workspace_memberships (user_key, workspace_key) SELECT member.key, place.key FROM member, place
     ), made AS (
       INSERT INTO groups (id, name, workspace_key)
       SELECT lpad(n::text, 255, 'g'), 'G', key FROM place, generate_series(1, ${MEMBERS}) AS n
       RETURNING key, ltrim(id, 'g')::integer AS n
     )
     INSERT INTO group_memberships (user_key, workspace_key, group_key)
     SELECT member.key, place.key, made.key FROM member, place, made WHERE (made.n - member.n + ${MEMBERS}) % ${MEMBERS} < ${GROUPS}`,
  );
  await dataSource.query(`
    CREATE TABLE sizes (bytes integer);
    CREATE FUNCTION measure() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO sizes VALUES (octet_length(array_to_json(NEW.changes)::text));
      RETURN NEW;
    END $$;
    CREATE TRIGGER measure BEFORE INSERT ON journal_inbox FOR EACH ROW EXECUTE FUNCTION measure()`);
  const log = StatementLog.of(dataSource);
  expect((await call(service, 'DELETE', '/api/workspaces/atlas')).status).toBe(204);
  const removals = log.take().filter((statement) => statement.includes('take_members_out'));
  expect(removals).toHaveLength(Math.ceil((MEMBERS * GROUPS) / 10_000));

  const sizes: { bytes: number }[] = await dataSource.query('SELECT bytes FROM sizes WHERE bytes > 100000 ORDER BY 1');
  expect(sizes.length).toBeGreaterThanOrEqual(3);
  expect(sizes.at(-1)?.bytes).toBeLessThan(4_100_000);
  const [{ entries, groups }] = await querySealed<[{ entries: number; groups: number }]>(
    dataSource,
    `SELECT count(*)::integer AS entries, sum(jsonb_array_length(before -> 'groups'))::integer AS groups
     FROM journal_entries WHERE action = 'user.workspaces.unassigned'`,
  );
  expect({ entries, groups }).toEqual({ entries: MEMBERS, groups: MEMBERS * GROUPS });
});
