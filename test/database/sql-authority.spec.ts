import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTestService } from '../support/test-service';

const SOURCES = join(__dirname, '../../src');

/**
 * Functions that write and do not judge their caller, and everything that calls them: SQL functions, which have judged before, and files
 * of `src/`. A new caller belongs here only once it is certain that it judges first.
 */
const JUDGED_BEFORE: Record<string, { why: string; callers: string[] }> = {
  journal_append_changes: {
    why: 'the callers in TypeScript take a `Judged`, which only `judgeCaller` makes',
    callers: [
      'assign_statuses',
      'assign_users',
      'carry_out_ends',
      'change_user_status',
      'journal/journal.ts',
      'plugins/transfer/import-journal.ts',
      'take_members_out',
      'unassign_users',
      'undo_request',
    ],
  },
  expand_deliveries: {
    why: 'it makes the deliveries of what stands in the journal',
    callers: ['expand_next_webhook', 'plugins/webhooks/deliveries-reader.ts', 'plugins/webhooks/owed-deliveries.ts'],
  },
  expand_next_webhook: { why: 'it does so for the next webhook', callers: ['plugins/webhooks/claim-deliveries.ts'] },
  claim_deliveries: { why: 'it says who attempts a delivery', callers: ['plugins/webhooks/claim-deliveries.ts'] },
  seal_journal: {
    why: 'it moves what was committed into the journal',
    callers: [
      'journal/seal-journal.ts',
      'plugins/scim/demo-connection.ts',
      'plugins/webhooks/demo-webhook.ts',
      'users/demo-change.ts',
    ],
  },
  journal_make_months: {
    why: 'it moves entries between partitions of the journal, which only the owner of the tables can',
    callers: ['journal/journal-months.ts'],
  },
  erase_personal: { why: 'the deletion has judged', callers: ['users/delete-user.service.ts'] },
  raise_member_types: { why: 'it is a part of assign_users', callers: ['assign_users'] },
  refresh_member_types: {
    why: 'it is a part of all of them',
    callers: ['assign_users', 'unassign_users', 'undo_request'],
  },
  retype_members: {
    why: 'as refresh_member_types; changes of permissions and imports have locked and judged before they derive types',
    callers: ['carry_out_ends', 'import_types', 'refresh_member_types', 'users/user-type/user-type.service.ts'],
  },
  set_user_types: { why: 'it writes what these have decided', callers: ['raise_member_types', 'retype_members'] },
  set_statuses: {
    why: 'it writes what these have decided',
    callers: [
      'assign_statuses',
      'carry_out_ends',
      'change_user_status',
      'import_statuses',
      'undo_request',
      'users/change-user.service.ts',
    ],
  },
  drop_account_ends: { why: 'it is a part of carry_out_ends', callers: ['carry_out_ends'] },
  add_memberships: {
    why: 'it writes what these have decided; the creation of a user has judged',
    callers: ['assign_users', 'directory/memberships.ts', 'import_memberships', 'undo_request'],
  },
  remove_memberships: {
    why: 'it writes what these have decided',
    callers: ['carry_out_ends', 'import_memberships', 'take_members_out', 'unassign_users', 'undo_request'],
  },
  set_ends: {
    why: 'it writes what these have decided',
    callers: ['assign_users', 'import_memberships', 'move_ends_back', 'unassign_users'],
  },
  bound_group_ends: { why: 'it is a part of all writers of ends', callers: ['add_memberships', 'set_ends'] },
  lock_import: {
    why: 'it writes into temporary tables what it has locked, and the import judges then',
    callers: ['plugins/transfer/import-locks.ts'],
  },
  import_statuses: { why: 'the import has judged', callers: ['plugins/transfer/import-writes.ts'] },
  import_memberships: { why: 'the import has judged', callers: ['plugins/transfer/import-writes.ts'] },
  import_types: { why: 'the import has judged', callers: ['plugins/transfer/import-types.ts'] },
  take_members_out: { why: 'a deletion has judged', callers: [] },
  claim_user_type_rule: {
    why: 'it records the rule of the first change, which has been judged',
    callers: ['raise_member_types', 'retype_members'],
  },
  list_created_users: { why: 'it is a trigger: the statement that fires it has been judged', callers: [] },
  list_changed_user: { why: 'as list_created_users', callers: [] },
  unlist_deleted_user: { why: 'as list_created_users', callers: [] },
  keep_lost_scim_membership: { why: 'as list_created_users', callers: [] },
  forget_lost_scim_workspace: { why: 'as list_created_users', callers: [] },
  forget_lost_scim_group: { why: 'as list_created_users', callers: [] },
  remember_scim_leavers: { why: 'as list_created_users', callers: [] },
  move_ends_back: { why: 'it is a part of undo_request', callers: ['undo_request'] },
  carry_out_ends: { why: 'nobody calls it: it does what somebody has decided before', callers: [] },
  refuse_end: { why: 'it is a part of both', callers: ['carry_out_ends', 'settle_kept_administrator'] },
  settle_kept_administrator: {
    why: 'a rename has locked and judged before',
    callers: ['users/rename-user.service.ts'],
  },
  undo_besides_scim: { why: 'undo_besides calls it by its name, for undo_request', callers: [] },
};

describe('the SQL functions that write', () => {
  const service = useTestService();
  let bodies: Map<string, string>;

  beforeAll(async () => {
    const rows: { name: string; body: string }[] = await service.dataSource.query(`
      SELECT proname AS name, prosrc AS body FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')`);
    bodies = new Map(rows.map(({ name, body }) => [name, body.replace(/--.*$/gm, '')]));
  });

  const calls = (body: string, name: string): number => body.search(new RegExp(`\\b${name}\\(`));

  /** Functions that match, and those that call one of them, directly or through others. */
  function reaching(pattern: RegExp, except: ReadonlySet<string> = new Set()): Set<string> {
    const found = new Set<string>();
    for (let before = -1; before < found.size;) {
      before = found.size;
      for (const [name, body] of bodies) {
        const isFound = pattern.test(body) || [...found].some((other) => calls(body, other) >= 0);
        if (isFound && !except.has(name)) found.add(name);
      }
    }
    return found;
  }

  // A lock is no write.
  const WRITE = /\b(INSERT|(?<!\bFOR |\bFOR NO KEY )UPDATE|DELETE|MERGE|TRUNCATE|COPY)\b/i;
  const writers = () => reaching(WRITE);
  /** Functions that only judge, such as `lock_assignment`. */
  const judges = () => reaching(/\bstanding_of\(/, writers()).add('standing_of');

  /** Where the body first does any of this, or after its end. */
  function first(body: string, names: Iterable<string>, pattern = /(?!)/): number {
    const places = [body.search(pattern), ...[...names].map((name) => calls(body, name))];
    return Math.min(...places.filter((place) => place >= 0), body.length);
  }

  it('judge their caller before they write, or are called by nothing that has not judged before', () => {
    const unjudged = [...writers()].filter((name) => {
      const body = bodies.get(name) ?? '';
      return first(body, judges()) >= first(body, writers(), WRITE);
    });
    expect(unjudged.sort()).toEqual(Object.keys(JUDGED_BEFORE).sort());
    expect([...writers()]).toEqual(
      expect.arrayContaining(['assign_users', 'unassign_users', 'change_user_status', 'assign_statuses']),
    );
  });

  it.each(Object.entries(JUDGED_BEFORE))('has no other callers of %s', (name, { callers }) => {
    const functions = [...bodies].filter(([, body]) => calls(body, name) >= 0).map(([caller]) => caller);
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('migrations'))
      .filter((path) => calls(readFileSync(join(SOURCES, path), 'utf8'), name) >= 0);
    expect([...functions, ...files].sort()).toEqual(callers);
  });
});
