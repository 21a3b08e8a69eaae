import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { readResource, USER_TYPE } from '@user-administration/scim-protocol';
import { type ChangeContext, CONFIG, type Config, Transactions } from '../door';
import { isNewUserId } from '../../contract/identifiers';
import type { User } from '../../directory/user.entity';
import { AssignStatusesService } from '../../users/assign-statuses.service';
import { ChangeUserService } from '../../users/change-user.service';
import { CreateUserService } from '../../users/create-user.service';
import { RenameUserService } from '../../users/rename-user.service';
import { AddressClaims, claimOf, isSameAddress, keepWaiting, refusalOfClaim } from './address-claims';
import { chooseCandidate } from './candidates';
import type { Connection } from './scim-request';
import { addressOf } from './find-addresses';
import type { Candidate } from './candidates';
import type { JudgedConnection } from './judge-connection';
import { findProvisioned, insertProvisioned, type ProvisionedUser } from './provisioned-user';
import { lockCandidates } from './candidates';
import { isProtected, notPermitted, requireNoneMade, requireNoReaderMade } from './protected-administrators.rule';
import { retryChange } from './retry-change';
import { followedId, idIn, UserConflicts } from './user-conflicts';
import { fieldsOf, type UserFields } from './user-fields';

/** Creates a user of a connection, or takes over a user without a connection. */
@Injectable()
export class CreateScimUserService {
  constructor(
    private readonly transactions: Transactions,
    private readonly creation: CreateUserService,
    private readonly changes: ChangeUserService,
    private readonly renaming: RenameUserService,
    private readonly statuses: AssignStatusesService,
    private readonly conflicts: UserConflicts,
    private readonly claims: AddressClaims,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @throws ScimError `invalidSyntax`, `invalidValue`, `uniqueness`; ServiceError `auth.administrator_required`,
   * `directory.last_administrator`
   */
  execute(body: unknown, connection: Connection, context: ChangeContext): Promise<ProvisionedUser> {
    const fields = fieldsOf(readResource(body, USER_TYPE));
    return retryChange(this.transactions, (manager) => this.create(manager, fields, connection, context));
  }

  private async create(
    manager: EntityManager,
    fields: UserFields,
    from: Connection,
    context: ChangeContext,
  ): Promise<ProvisionedUser> {
    const { connection, candidates, addresses } = await lockCandidates(manager, fields, from, context);
    const conflict = await this.conflicts.overNames(manager, connection.key, null, fields);
    if (conflict) throw conflict;
    const found = chooseCandidate(candidates, from);
    if (isProtected(found, connection)) throw notPermitted('it takes over an administrator');

    // A leaver that comes back is active, like a new user. A user without a connection keeps the status that an
    // administrator chose.
    const { active = found && !found.leaver ? found.status === 'active' : true } = fields;
    const status = active ? 'active' : 'inactive';
    // An existing user keeps what the provider does not send.
    const email = fields.email ?? (found && !fields.resource.emails ? found.email : null);
    const address = addressOf(addresses, email);
    const claimant = { key: found?.key ?? null, isActive: status === 'active', waitsSince: null };
    const claim = email === null ? 'has' : claimOf(address, claimant, connection);
    const refusal = refusalOfClaim(claim);
    if (refusal) throw refusal;
    if (claim === 'has') await this.claims.take(manager, connection, address, claimant.key);

    const record = {
      email: claim === 'has' ? email : null,
      displayName: fields.displayName ?? found?.displayName ?? null,
    };
    const id = await this.idOf(manager, connection, from, found, fields);
    const { key: userKey, type } = found
      ? await this.takeOver(manager, connection, found, { ...record, id, status })
      : await this.creation.applyWithin(manager, connection.judged, { ...record, id, status });
    requireNoneMade(connection, found?.type, type);
    const scimId = found?.leaver?.isOurs ? found.leaver.id : id;
    // A later `true` undoes only a `false` of the provider, and not the deactivation of this user by an administrator.
    await insertProvisioned(
      manager,
      connection.key,
      { id: scimId, userKey, providerActive: fields.active ?? true },
      fields,
    );
    const before = { userKey, email: found?.email ?? null, waitsFor: null, waitsSince: null };
    await keepWaiting(manager, before, claim === 'waits' ? email : null, status);
    if (claim === 'waits') await this.claims.passOn(manager, connection, address, userKey);
    if (found?.email && !(email && isSameAddress(email, found.email)))
      await this.claims.passOn(manager, connection, addressOf(addresses, found.email), userKey);
    return (await findProvisioned(manager, connection.key, userKey))!;
  }

  /** @throws ScimError `uniqueness`; ServiceError `auth.administrator_required` for the id of a service */
  private async idOf(
    manager: EntityManager,
    connection: JudgedConnection,
    { idFrom }: Connection,
    found: Candidate | undefined,
    fields: UserFields,
  ): Promise<string> {
    const given = idIn(fields, idFrom);
    const fresh = found
      ? found.leaver && followedId(found.id, found.leaver, fields, idFrom)
      : isNewUserId(given) && given;
    if (!fresh) return found?.id ?? uuidv7();
    const conflict = await this.conflicts.overNewId(manager, connection, fresh);
    if (conflict) throw conflict;
    return fresh;
  }

  private async takeOver(
    manager: EntityManager,
    connection: JudgedConnection,
    found: Candidate,
    { id, status, email, displayName }: Pick<User, 'id' | 'status' | 'email' | 'displayName'>,
  ): Promise<Pick<User, 'key' | 'type'>> {
    const { judged } = connection;
    const { readPermission } = this.config.accessTokens;
    await requireNoReaderMade(manager, connection, found.key, [found.status, status], readPermission);
    if (id !== found.id) await this.renaming.applyWithin(manager, judged, found, id);
    const user = { record: { ...found, id }, permissions: [] };
    const { record } = await this.changes.applyWithin(manager, judged, user, { email, displayName });
    if (status !== found.status) await this.statuses.applyWithin(manager, judged, [id], status);
    return record;
  }
}
