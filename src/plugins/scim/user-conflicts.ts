import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG, type Config, type ServiceError } from '../door';
import { hasCalled } from '../../auth/calling-services';
import { isNewUserId } from '../../contract/identifiers';
import type { IdSource } from './scim-connection.entity';
import type { JudgedConnection } from './judge-connection';
import { hasLeft } from './leavers';
import { refusalOfServiceId } from './protected-administrators.rule';
import { ScimError } from './scim-error';
import type { UserFields } from './user-fields';

type Names = Pick<UserFields, 'userName' | 'externalId'>;

/** The value of the attribute from which a connection takes the ids of its users. */
export const idIn = ({ userName, externalId }: Names, idFrom: IdSource): string | null =>
  idFrom === 'externalId' ? externalId : userName;

/** The new id of a user whose id is the value of an attribute that the provider changes; else undefined. */
export function followedId(userId: string, before: Names, after: Names, idFrom: IdSource): string | undefined {
  const id = idIn(after, idFrom);
  return idIn(before, idFrom) === userId && id !== userId && isNewUserId(id) ? id : undefined;
}

/** Finds conflicts over the values that a user is to get. */
@Injectable()
export class UserConflicts {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * The first conflict of a user with another one of the connection: over the name, then over the external id.
   *
   * @param userKey null for a new user
   */
  async overNames(
    manager: EntityManager,
    connectionKey: string,
    userKey: string | null,
    { userName, externalId }: Names,
  ): Promise<ScimError | undefined> {
    const others = 'FROM scim_users WHERE connection_key = $1 AND user_key IS DISTINCT FROM $2::bigint';
    const [taken] = await manager.query<[{ name: boolean; externalId: boolean }]>(
      `SELECT EXISTS (SELECT ${others} AND fold_case(user_name) = fold_case($3)) AS name,
         EXISTS (SELECT ${others} AND external_id = $4::text) AS "externalId"`,
      [connectionKey, userKey, userName, externalId],
    );
    if (taken.name) return new ScimError('uniqueness', 'Another user has this userName.');
    return taken.externalId ? new ScimError('uniqueness', 'Another user has this externalId.') : undefined;
  }

  /** The conflict over an id that a user is to get. */
  async overNewId(manager: EntityManager, connection: JudgedConnection, id: string): Promise<ServiceError | undefined> {
    const [found] = await manager.query<[{ isHeld: boolean; hasLeft: boolean; isService: boolean }]>(
      `SELECT u.key IS NOT NULL AS "isHeld", gone.user_key IS NOT NULL AS "hasLeft", ${hasBeenService('$1::text')} AS
      "isService"
       FROM (VALUES ($1::text)) AS given (id) LEFT JOIN users AS u USING (id) LEFT
         JOIN scim_leavers AS gone ON gone.user_key = u.key`,
      [id],
    );
    if (found.isHeld) return found.hasLeft ? hasLeft() : new ScimError('uniqueness', 'Another user has this id.');
    const isService = found.isService || this.config.accessTokens.serviceSubjects.includes(id);
    return isService ? refusalOfServiceId(connection) : undefined;
  }
}

/** Whether a service with this id has called, or the journal has a change by one, sealed or not. */
const hasBeenService = (id: string): string =>
  `(${hasCalled(id)} OR EXISTS (SELECT FROM journal_changes WHERE actor_id = ${id} AND actor_kind = 'service')
     OR EXISTS (SELECT FROM journal_inbox WHERE actor_id = ${id} AND actor_kind = 'service'))`;
