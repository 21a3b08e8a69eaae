import { type Answer, post } from '../support/ask';
import { type TestService, useTestService } from '../support/test-service';
import { everyRow, writeSmallDirectory } from '../support/small-directory';
import { querySealed } from '../support/sealed';

export const DRY = 'Nothing was changed: this was a dry run.';
export const REPRESENTATION = { prefer: 'return=representation' };

type Operation = 'workspace-assign' | 'workspace-unassign' | 'status-assign';

/** Each operation with a body that changes something, and what it answers and changes in the directory of {@link BulkTrial}. */
export const OPERATIONS: [Operation, object, string, object][] = [
  [
    'workspace-assign',
    { userIds: ['max', 'ben', 'cyd'], workspaces: ['atlas'], groups: ['atlas-managers'] },
    'Users successfully assigned to workspaces.',
    {
      users: [
        { id: 'ben', workspaces: ['atlas'], groups: ['atlas-managers'], type: { before: 'guest', after: 'manager' } },
        { id: 'cyd', workspaces: ['atlas'], groups: ['atlas-managers'], type: { before: 'guest', after: 'manager' } },
      ],
      unchanged: 1,
      refused: [],
    },
  ],
  [
    'workspace-unassign',
    { userIds: ['max', 'ben'], workspaces: ['atlas', 'borealis'] },
    'Users successfully unassigned from workspaces.',
    { users: [{ id: 'max', workspaces: ['atlas'], groups: ['atlas-managers'] }], unchanged: 1, refused: [] },
  ],
  [
    'status-assign',
    { userIds: ['zoe', 'max', 'cyd', 'ben'], status: 'inactive', reason: 'a test' },
    'User statuses successfully updated.',
    {
      users: ['ben', 'max', 'zoe'].map((id) => ({ id, status: { before: 'active', after: 'inactive' } })),
      unchanged: 1,
      refused: [],
    },
  ],
];

/** The service with a small directory, in which Max is in Atlas and manages it. */
export class BulkTrial {
  private constructor(readonly service: TestService) {}

  /** For all tests of a file. Each test begins with this directory. */
  static forEachTest(): BulkTrial {
    const service = useTestService();
    beforeEach(() => BulkTrial.prepare(service));
    return new BulkTrial(service);
  }

  /** For all tests of a file together, which change nothing that another one needs. */
  static forAllTests(): BulkTrial {
    const service = useTestService();
    beforeAll(() => BulkTrial.prepare(service));
    return new BulkTrial(service);
  }

  private static async prepare(service: TestService): Promise<void> {
    await writeSmallDirectory(service);
    await service.directory.member('max', 'atlas', ['atlas-managers']);
  }

  /** Ada's call of an operation under `/api/users`. */
  call(operation: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const authorization = `Bearer ${this.service.tokenOf('ada')}`;
    return post(`${this.service.url}/api/users/${operation}`, body, { authorization, ...headers });
  }

  /** Whatever a change could leave behind. */
  async traces(): Promise<string[]> {
    const rows: { line: string }[] = await querySealed(
      this.service.dataSource,
      ['journal_inbox', 'journal_changes', 'journal_seals', 'idempotency_keys', 'webhook_deliveries']
        .map((table) => `SELECT '${table} ' || t.xmin || ' ' || t::text AS line FROM ${table} AS t`)
        .join(' UNION ALL ') + ' ORDER BY line',
    );
    return [...(await everyRow(this.service)), ...rows.map(({ line }) => line)];
  }
}
