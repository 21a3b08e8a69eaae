import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import type { DirectoryRecord } from '../../src/contract/directory';
import { createDataSource, migrate } from '../support/whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { DIRECTORY_ENTITIES } from '../../src/directory/entities';
import { ScimConnection } from '../../src/plugins/scim/scim-connection.entity';
import { WebhookSubscription } from '../../src/plugins/webhooks/webhook-subscription.entity';
import { DirectoryBuilder } from '../support/directory-builder';
import { openTestDatabase } from '../support/test-database';
import { exportDirectory } from '../../src/plugins/transfer/export-directory';
import { importDirectory, type ImportSummary } from '../../src/plugins/transfer/import-directory';
import type { Lines } from '../../src/plugins/transfer/read-lines';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';

/** Whom the journal names in these tests. */
export const IMPORT = { actor: { kind: 'system', id: 'transfer test' } } as const;

/** A migrated database of a test, and the directory in it. */
export class TransferDatabase {
  readonly directory: DirectoryBuilder;

  private constructor(
    readonly url: string,
    readonly dataSource: DataSource,
    private readonly closeDatabase: () => Promise<void>,
  ) {
    this.directory = new DirectoryBuilder(dataSource);
  }

  /** @param given closed with it; a new one by default */
  static async open(given: Partial<OpenedDatabase> = {}): Promise<TransferDatabase> {
    const database = { ...(given.url === undefined ? await openTestDatabase() : (given as OpenedDatabase)), ...given };
    const dataSource = createDataSource(database, [...DIRECTORY_ENTITIES, ScimConnection, WebhookSubscription]);
    await dataSource.initialize();
    await migrate(dataSource);
    return new TransferDatabase(database.url, dataSource, () => database.close());
  }

  import(...records: DirectoryRecord[]): Promise<ImportSummary> {
    return this.importLines(records.map((record) => JSON.stringify(record)));
  }

  importLines(lines: Lines, userTypes = new UserTypeService(new UserTypeRule())): Promise<ImportSummary> {
    return importDirectory(this.dataSource, lines, IMPORT, { userTypes });
  }

  /** The sentence with which an import of these is refused. */
  async refusal(...records: DirectoryRecord[]): Promise<string> {
    return this.import(...records).then(
      () => 'nothing refused it',
      (error: Error) => error.message,
    );
  }

  async export(): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of exportDirectory(this.dataSource)) lines.push(line);
    return lines;
  }

  /** Every row of the directory as the database has it: with times, types, and the transaction that wrote it last. */
  async rows(): Promise<object[]> {
    const tables = DIRECTORY_ENTITIES.map((entity) => this.dataSource.getMetadata(entity).tableName).sort();
    const rows: object[] = [];
    for (const table of tables) {
      rows.push(
        ...(await this.dataSource.query<object[]>(
          `SELECT '${table}' AS "table", xmin, * FROM ${table} AS r ORDER BY r`,
        )),
      );
    }
    return rows;
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.closeDatabase();
  }
}
