import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requirePreconditions } from '../answers/etag';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { AssignStatusesService } from '../users/assign-statuses.service';
import { ChangeUserService } from '../users/change-user.service';
import { beginAgain } from './begin-again';
import type { Connection } from './current-connection';
import {
  findKept,
  type KeptUser,
  toPatchable,
  toUserResource,
  updateKept,
  type UserResource,
  versioned,
} from './kept-user';
import { lockKept } from './lock-kept';
import { notPermitted, requireGranted } from './not-permitted';
import { ScimError } from './scim-error';
import { applyPatch } from './scim-patch';
import { readResource } from './scim-resource';
import { fieldsOf, type UserFields } from './user-fields';
import { USER_TYPE } from './user-schema';

/** What a request makes of a user. */
interface Wanted extends UserFields {
  /** Whether the email of the record follows from the request, as it stands. */
  setsEmail: boolean;
}

/** Replaces or changes a user of a connection. */
@Injectable()
export class ChangeScimUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly changes: ChangeUserService,
    private readonly statuses: AssignStatusesService,
  ) {}

  /**
   * Attributes that are absent are cleared, but `active` stays.
   *
   * @throws ScimError, ServiceError `user.unknown`, `record.changed`, `auth.administrator_required`, `directory.last_administrator`
   */
  replace(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<UserResource> {
    const fields = fieldsOf(readResource(body, USER_TYPE));
    return this.change(id, () => ({ ...fields, setsEmail: true }), connection, context);
  }

  /** @throws as {@link replace} */
  patch(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<UserResource> {
    const patched = (kept: KeptUser): Wanted => {
      const before = toPatchable(kept);
      const fields = fieldsOf(applyPatch(before, body, USER_TYPE).resource);
      // A change of a title does not undo what an administrator did with the address.
      return { ...fields, setsEmail: fields.email !== fieldsOf(before).email };
    };
    return this.change(id, patched, connection, context);
  }

  private change(
    id: string,
    wantedOf: (kept: KeptUser) => Wanted,
    from: Connection,
    context: ChangeContext,
  ): Promise<UserResource> {
    return beginAgain(() =>
      this.transactions.run(async (manager) => {
        const { kept, connection } = await lockKept(manager, id, from, context);
        requirePreconditions(context, versioned(kept));
        const wanted = wantedOf(kept);
        const said = wanted.active ?? kept.active;
        const status = said === kept.active ? kept.status : said ? 'active' : 'inactive';
        await requireFreeName(manager, connection.key, kept, wanted.userName);
        const email = wanted.setsEmail ? await freeEmail(manager, connection.key, kept, wanted.email) : kept.email;
        const { displayName } = wanted;
        const changesKept = !isDeepStrictEqual(contentOf({ ...wanted, active: said }), contentOf(kept));
        const changesRecord = email !== kept.email || displayName !== kept.displayName;
        if (!changesKept && !changesRecord) return toUserResource(kept);

        // A leaver is always deactivated; nothing else of an administrator changes.
        const isProtected = kept.type === 'administrator' && !connection.mayGrantAdministrator;
        const deactivates = kept.status === 'active' && status === 'inactive';
        if (isProtected && !deactivates) throw notPermitted('it changes an administrator');
        if (!isProtected) {
          const record = { ...kept, key: kept.userKey, id: kept.userId };
          const change = { email, displayName };
          const changed = await this.changes.within(manager, connection.judged, { record, permissions: [] }, change);
          requireGranted(connection, changed.record.type);
        }
        if (status !== kept.status) await this.statuses.within(manager, connection.judged, [kept.userId], status);
        if (changesKept) await updateKept(manager, kept.userKey, wanted, said);
        return toUserResource((await findKept(manager, connection.key, kept.userKey))!);
      }),
    );
  }
}

/** What the connection keeps, apart from our record. */
function contentOf({
  userName,
  externalId,
  resource,
  active,
}: Pick<KeptUser, 'userName' | 'externalId' | 'resource' | 'active'>) {
  return { userName, externalId, resource, active };
}

/** @throws ScimError `uniqueness` */
async function requireFreeName(
  manager: EntityManager,
  connectionKey: string,
  { userKey }: KeptUser,
  userName: string,
): Promise<void> {
  const others: unknown[] = await manager.query(
    `SELECT FROM scim_users WHERE connection_key = $1 AND fold_case(user_name) = fold_case($2) AND user_key <> $3`,
    [connectionKey, userName, userKey],
  );
  if (others.length > 0) throw new ScimError('uniqueness', 'Another user has this userName.');
}

/**
 * @returns null if another user of the connection has the address
 * @throws ScimError `uniqueness` if any other user has it
 */
async function freeEmail(
  manager: EntityManager,
  connectionKey: string,
  { userKey }: KeptUser,
  email: string | null,
): Promise<string | null> {
  const [other]: { connectionKey: string | null }[] = await manager.query(
    `SELECT kept.connection_key AS "connectionKey" FROM users AS u LEFT JOIN scim_users AS kept ON kept.user_key = u.key
     WHERE fold_case(u.email) = fold_case($1::text) AND u.key <> $2`,
    [email, userKey],
  );
  if (!other) return email;
  if (other.connectionKey === connectionKey) return null;
  throw new ScimError('uniqueness', 'Another user has this email address.');
}
