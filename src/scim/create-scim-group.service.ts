import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { ChangeContext } from '../auth/change-context';
import { Transactions } from '../database/transactions';
import { Group } from '../directory/group.entity';
import { Workspace } from '../directory/workspace.entity';
import { Journal } from '../journal/journal';
import { insertRecord } from '../records/insert-record';
import { beginAgain } from './begin-again';
import type { Connection } from './current-connection';
import { groupFieldsOf } from './group-fields';
import { GroupMembers } from './group-members';
import { requireFreeName } from './group-names';
import { judgeConnection } from './judge-connection';
import type { KeptGroup } from './kept-group';
import { findGroup, lockMembers, lockNames, requireLocked } from './lock-group';

/** Creates a group in the workspace of a connection, with its members. */
@Injectable()
export class CreateScimGroupService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
    private readonly members: GroupMembers,
  ) {}

  /** @throws ScimError `invalidSyntax`, `invalidValue`, `uniqueness`; ServiceError `auth.administrator_required` */
  execute(body: unknown, from: Connection, context: ChangeContext): Promise<KeptGroup> {
    const { name, externalId, members } = groupFieldsOf(body);
    const id = uuidv7();
    return beginAgain(() =>
      this.transactions.run(async (manager) => {
        const locked = await lockNames(manager, from);
        const users = await lockMembers(manager, from, undefined, members);
        const connection = await judgeConnection(manager, from, context);
        requireLocked(locked, connection);
        await requireFreeName(manager, from, name);

        const { judged, workspaceKey } = connection;
        const key = await insertRecord(manager, Group, { id, name, workspaceKey }, judged);
        const workspace = await manager.findOneByOrFail(Workspace, { key: workspaceKey });
        await this.journal.append(manager, judged, [
          { action: 'group.created', workspaces: [workspace.id], after: { group: id, name } },
        ]);
        await manager.query(
          `WITH made AS (INSERT INTO scim_made_groups (connection_key, group_key) VALUES ($1, $2))
           INSERT INTO scim_groups (connection_key, group_key, external_id) VALUES ($1, $2, $3)`,
          [connection.key, key, externalId],
        );
        const place = { key, id, workspaceKey, workspaceId: workspace.id };
        await this.members.change(manager, connection, place, users, members);
        return (await findGroup(manager, id, from))!;
      }),
    );
  }
}
