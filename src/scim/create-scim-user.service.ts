import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ChangeContext } from '../auth/change-context';
import { CONFIG, type Config } from '../config/config';
import { isIdentifier } from '../contract/identifiers';
import { Transactions } from '../database/transactions';
import type { User } from '../directory/user.entity';
import { AssignStatusesService } from '../users/assign-statuses.service';
import { ChangeUserService } from '../users/change-user.service';
import { CreateUserService } from '../users/create-user.service';
import { beginAgain } from './begin-again';
import type { Connection } from './current-connection';
import { type JudgedConnection, judgeConnection } from './judge-connection';
import { findKept, insertKept, toUserResource, type UserResource } from './kept-user';
import { notPermitted, requireGranted } from './not-permitted';
import { ScimError } from './scim-error';
import { readResource } from './scim-resource';
import { fieldsOf, type UserFields } from './user-fields';
import { USER_TYPE } from './user-schema';

/** A user who has the id or the email of the new one. */
interface Candidate extends Pick<User, 'key' | 'id' | 'email' | 'displayName' | 'type' | 'status'> {
  hasId: boolean | null;
  hasEmail: boolean | null;
  /** Of its connection, if it has one. */
  connectionKey: string | null;
}

/** Creates a user of a connection, or takes over one of no connection. */
@Injectable()
export class CreateScimUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly creation: CreateUserService,
    private readonly changes: ChangeUserService,
    private readonly statuses: AssignStatusesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws ScimError `invalidSyntax`, `invalidValue`, `uniqueness`; ServiceError `auth.administrator_required`, `directory.last_administrator` */
  execute(body: unknown, connection: Connection, context: ChangeContext): Promise<UserResource> {
    const fields = fieldsOf(readResource(body, USER_TYPE));
    return beginAgain(() => this.transactions.run((manager) => this.create(manager, fields, connection, context)));
  }

  private async create(
    manager: EntityManager,
    fields: UserFields,
    from: Connection,
    context: ChangeContext,
  ): Promise<UserResource> {
    const given = from.idFrom === 'externalId' ? fields.externalId : fields.userName;
    const wantedId = isIdentifier(given) ? given : null;
    const locked: { key: string }[] = await manager.query(
      `SELECT key FROM users WHERE id = $1::text OR fold_case(email) = fold_case($2::text) ORDER BY key FOR NO KEY UPDATE`,
      [wantedId, fields.email],
    );
    const connection = await judgeConnection(manager, from, context);
    const keys = locked.map(({ key }) => key);
    const { candidates, knownIds } = await lookUp(manager, connection.key, fields, wantedId, keys);
    const { taken, email } = choose(candidates, connection.key, fields.email);

    if (taken?.type === 'administrator' && !connection.mayGrantAdministrator)
      throw notPermitted('it takes over an administrator');
    const displayName = fields.displayName ?? taken?.displayName ?? null;
    const isFree = wantedId !== null && !knownIds.includes(wantedId) && !candidates.some(({ hasId }) => hasId);
    const id = taken?.id ?? (isFree ? wantedId : uuidv7());
    const status = fields.active === undefined ? (taken?.status ?? 'active') : fields.active ? 'active' : 'inactive';
    const { judged } = connection;
    if (!taken) this.requireNoService(id, connection);
    // What the provider does not say of a user who is there stays.
    const change = { email: fields.resource.emails ? email : undefined, displayName };
    const { key: userKey, type } = taken
      ? (await this.changes.within(manager, judged, { record: taken, permissions: [] }, change)).record
      : await this.creation.within(manager, judged, { id, email, displayName, status });
    requireGranted(connection, type);
    if (taken && taken.status !== status) await this.statuses.within(manager, judged, [id], status);
    const scimId = knownIds.includes(id) ? uuidv7() : id;
    await insertKept(manager, connection.key, { id: scimId, userKey, active: status === 'active' }, fields);
    return toUserResource((await findKept(manager, connection.key, userKey))!);
  }

  private requireNoService(id: string, { mayGrantAdministrator }: JudgedConnection): void {
    const isService = this.config.accessTokens.serviceSubjects.includes(id);
    if (isService && !mayGrantAdministrator) throw notPermitted('the id is that of a service');
  }
}

/**
 * Reads what decides, now that the users are locked.
 *
 * @throws ScimError `uniqueness` for a name that the connection knows
 */
async function lookUp(
  manager: EntityManager,
  connectionKey: string,
  { userName, email }: UserFields,
  wantedId: string | null,
  keys: string[],
): Promise<{ candidates: Candidate[]; knownIds: string[] }> {
  const candidates: Candidate[] = await manager.query(
    `SELECT u.key, u.id, u.email, u.display_name AS "displayName", u.type, u.status, u.id = $2::text AS "hasId",
       fold_case(u.email) = fold_case($3::text) AS "hasEmail", kept.connection_key AS "connectionKey"
     FROM users AS u LEFT JOIN scim_users AS kept ON kept.user_key = u.key WHERE u.key = ANY ($1)`,
    [keys, wantedId, email],
  );
  const [known] = await manager.query<[{ isNameTaken: boolean; ids: string[] }]>(
    `SELECT EXISTS (SELECT FROM scim_users WHERE connection_key = $1 AND fold_case(user_name) = fold_case($2)) AS "isNameTaken",
       ARRAY(SELECT id FROM scim_users WHERE connection_key = $1 AND id = ANY ($3)) AS ids`,
    [connectionKey, userName, [wantedId, ...candidates.map(({ id }) => id)]],
  );
  if (known.isNameTaken) throw new ScimError('uniqueness', 'Another user has this userName.');
  return { candidates, knownIds: known.ids };
}

/**
 * The user to take over, if there is one, and the email that the record can have.
 *
 * @throws ScimError `uniqueness` for a user of another connection, and for the email of another user
 */
function choose(
  candidates: readonly Candidate[],
  connectionKey: string,
  given: string | null,
): { taken: Candidate | undefined; email: string | null } {
  const isOurs = (candidate: Candidate | undefined): boolean => candidate?.connectionKey === connectionKey;
  const [withId, withEmail] = [candidates.find(({ hasId }) => hasId), candidates.find(({ hasEmail }) => hasEmail)];
  const byId = isOurs(withId) ? undefined : withId;
  const byEmail = isOurs(withEmail) ? undefined : withEmail;
  const email = isOurs(withEmail) ? null : given;
  const taken = byId ?? byEmail;
  if (taken && taken.connectionKey !== null)
    throw new ScimError('uniqueness', 'The user belongs to another connection.');
  if (byEmail && byEmail !== taken) throw new ScimError('uniqueness', 'Another user has this email address.');
  return { taken, email };
}
