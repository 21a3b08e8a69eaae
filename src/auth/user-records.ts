import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { CannotWriteError } from '../database/database-errors';
import { prepared } from '../database/prepared-statements';
import { ReservedStatements, type Statements } from '../database/statements';
import type { User } from '../directory/user.entity';

const FIND_USERS = prepared('find_users', 'SELECT key, id, type, status FROM users WHERE id = ANY($1)');

/**
 * Behind a pooler, the same statement must check that the server can write, so that no standby judges a caller. The
 * result has at least one row, with or without a user.
 */
const FIND_USERS_ON_PRIMARY = `
  SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", key, id, type, status
  FROM (SELECT) AS one_row LEFT JOIN users ON id = ANY($1)`;

type UserRecord = Pick<User, 'key' | 'id' | 'type' | 'status'>;

/**
 * Looks up the user of every request without any cache: each lookup is answered by a statement that is sent after it.
 * Lookups in the same iteration of the event loop share a statement: about three of them at 32 concurrent requests.
 */
@Injectable()
export class UserRecords {
  private readonly loader: DataLoader<string, UserRecord | undefined>;

  constructor(@Inject(ReservedStatements) private readonly statements: Statements) {
    this.loader = new DataLoader((ids) => this.findAll(ids), { cache: false, batchScheduleFn: setImmediate });
  }

  find(id: string): Promise<UserRecord | undefined> {
    return this.loader.load(id);
  }

  private async findAll(ids: readonly string[]): Promise<(UserRecord | undefined)[]> {
    const found = await this.ask(ids);
    const records = new Map(found.map((record) => [record.id, record]));
    return ids.map((id) => records.get(id));
  }

  private async ask(ids: readonly string[]): Promise<UserRecord[]> {
    if (!this.statements.isBehindPooler) return this.statements.query(FIND_USERS, [ids]);
    const rows = await this.statements.query<(UserRecord & { isReadOnly: boolean })[]>(FIND_USERS_ON_PRIMARY, [ids]);
    if (rows.some(({ isReadOnly }) => isReadOnly)) throw new CannotWriteError('a standby or read-only');
    return rows;
  }
}
