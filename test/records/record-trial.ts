import { DEMO_DIRECTORY } from '../../src/plugins/transfer/demo-directory';
import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { falseTypes } from '../races/false-types';
import { type TestService, useTestService } from '../support/test-service';
import { call, type RecordAnswer, type RecordRequest } from '../support/record-calls';
import { querySealed } from '../support/sealed';

/** A time in an answer. */
export const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

/** The entry of the journal for a type that has changed. */
export const typed = (user: string, before: string, after: string) => ({
  action: 'user.type.changed',
  user,
  workspaces: [],
  before: { type: before },
  after: { type: after },
});

/** The service with the demo directory, and the journal of what was changed since. */
export class RecordTrial {
  private seen = '0';

  private constructor(readonly service: TestService) {}

  /** For all tests of a file. Each test begins with the demo directory, and must leave correct types. */
  static forEachTest(): RecordTrial {
    const trial = new RecordTrial(useTestService());
    beforeEach(() => trial.reset());
    afterEach(async () => expect(await falseTypes(trial.service.dataSource)).toEqual([]));
    return trial;
  }

  send(method: string, path: string, request?: RecordRequest): Promise<RecordAnswer> {
    return call(this.service, method, path, request);
  }

  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<RecordAnswer> {
    return this.send('PATCH', path, { body, headers });
  }

  /** The entries of the journal since the test began, or since {@link skipJournal}, in order. */
  async told(): Promise<object[]> {
    return querySealed(
      this.service.dataSource,
      `SELECT action, user_id AS user, workspace_ids AS workspaces, before, after FROM journal_entries
       WHERE id > $1 ORDER BY id`,
      [this.seen],
    );
  }

  async skipJournal(): Promise<void> {
    const [row]: { id: string }[] = await querySealed(
      this.service.dataSource,
      'SELECT COALESCE(max(id), 0) AS id FROM journal_entries',
    );
    this.seen = row?.id ?? '0';
  }

  private async reset(): Promise<void> {
    await this.service.directory.clear();
    const attribution = { actor: { kind: 'system', id: 'test' } } as const;
    await importDirectory(this.service.dataSource, DEMO_DIRECTORY, attribution, {
      userTypes: new UserTypeService(new UserTypeRule()),
    });
    await this.skipJournal();
  }
}
