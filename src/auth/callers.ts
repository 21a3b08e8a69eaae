import { Inject, Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { CONFIG, type Config } from '../config/config';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Actor } from '../contract/journal';
import { CannotWriteError, prepared, ReservedStatements, type Statements } from '@user-administration/postgres';
import type { User } from '../directory/user.entity';
import { type AccessClaims, TokenRefusedError } from '@user-administration/access-tokens';
import type { Caller } from './caller';
import { CallingServices } from './calling-services';
import { requireService } from './service-caller.rules';

const FOUND = 'key, id, status, is_administrator AS "isAdministrator", may_read AS "mayRead"';

const FIND_CALLERS = prepared('find_callers', `SELECT ${FOUND} FROM find_callers($1, $2)`);

/**
 * Behind a pooler, the same statement must check that the server can write, so that no standby judges a caller. The
 * result has at least one row, with or without a user.
 */
const FIND_CALLERS_ON_PRIMARY = `
  SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", ${FOUND}
  FROM (SELECT) AS one_row LEFT JOIN find_callers($1, $2) ON true`;

interface UserRecord extends Pick<User, 'key' | 'id' | 'status'> {
  isAdministrator: boolean;
  mayRead: boolean;
}

/**
 * Looks up the user of every request without any cache: each lookup is answered by a statement that is sent after it.
 * Lookups in the same iteration of the event loop share a statement: about three of them at 32 concurrent requests.
 */
@Injectable()
export class UserRecords {
  private readonly loader: DataLoader<string, UserRecord | undefined>;

  constructor(
    @Inject(ReservedStatements) private readonly statements: Statements,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.loader = new DataLoader((ids) => this.findAll(ids), { cache: false, batchScheduleFn: setImmediate });
  }

  find(id: string): Promise<UserRecord | undefined> {
    return this.loader.load(id);
  }

  private async findAll(ids: readonly string[]): Promise<(UserRecord | undefined)[]> {
    const found = await this.ask(ids);
    const records = new Map<string, UserRecord>();
    for (const record of found) records.set(record.id, record);
    return ids.map((id) => records.get(id));
  }

  private async ask(ids: readonly string[]): Promise<UserRecord[]> {
    const parameters = [ids, this.config.accessTokens.readPermission];
    if (!this.statements.isBehindPooler) return this.statements.query(FIND_CALLERS, parameters);
    const rows = await this.statements.query<(UserRecord & { isReadOnly: boolean })[]>(
      FIND_CALLERS_ON_PRIMARY,
      parameters,
    );
    if (rows.some(({ isReadOnly }) => isReadOnly)) throw new CannotWriteError('a standby or read-only');
    return rows;
  }
}

/** Identifies the bearer of a token with the current directory. Nothing is cached between requests. */
@Injectable()
export class Callers {
  constructor(
    private readonly users: UserRecords,
    private readonly services: CallingServices,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A user is whom the record says: no claim makes a user an administrator, and an inactive user is refused. The token
   * of a service whose subject has a record identifies that user. `standing_of` judges changes by the same rules.
   *
   * @throws TokenRefusedError for an inactive or unknown user, with the reason
   */
  async identify(claims: AccessClaims): Promise<Caller> {
    const { userId, subject } = claims;
    const user = await this.findUser(userId);
    if (user) return user;
    const standing = requireService(claims, this.config.accessTokens);
    const own = subject === userId ? undefined : await this.findUser(subject);
    if (own) return own;
    // A user with either id would take the place of the service.
    for (const id of [subject, userId]) if (id !== undefined) this.services.add(id);
    return { kind: 'service', id: subject, ...standing };
  }

  /**
   * Judges a caller again who has waited for an answer that only administrators and readers get.
   *
   * @throws ServiceError `auth.token_invalid`, `auth.administrator_required`
   */
  async judgeAgain({ kind, id }: Actor): Promise<void> {
    const user = isIdentifier(id) ? await this.users.find(id) : undefined;
    if (user ? user.status !== 'active' : kind === 'user') throw new ServiceError('auth.token_invalid');
    if (user && !user.isAdministrator && !user.mayRead) throw new ServiceError('auth.administrator_required');
  }

  private async findUser(id: string | undefined): Promise<Caller | undefined> {
    const user = isIdentifier(id) ? await this.users.find(id) : undefined;
    if (!user) return undefined;
    if (user.status !== 'active') throw new TokenRefusedError(`the user ${user.id} is inactive`);
    const { id: userId, key, isAdministrator, mayRead } = user;
    return { kind: 'user', id: userId, administrator: isAdministrator, key, ...(mayRead && { mayRead }) };
  }
}
