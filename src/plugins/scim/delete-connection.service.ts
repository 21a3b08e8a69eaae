import { Injectable } from '@nestjs/common';
import { type ChangeContext, Journal, Transactions } from '../door';
import { factsOf, toConnection } from './connections-reader';
import { lockConnection } from './lock-connection';
import { ScimConnection } from './scim-connection.entity';
import { CONNECTION_ACTIONS } from './actions';

/** Ends a connection. Users, groups and memberships stay. */
@Injectable()
export class DeleteConnectionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `scim_connection.unknown`, `record.changed` */
  async execute(id: string, context: ChangeContext): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { found, judged } = await lockConnection(manager, id, context, 'pessimistic_write');
      const before = toConnection(found);
      await manager.delete(ScimConnection, { id });
      await this.journal.append(manager, judged, [
        CONNECTION_ACTIONS.entry('scim_connection.deleted', {
          workspaces: [before.workspace, ...before.workspaces],
          before: factsOf(before),
        }),
      ]);
    });
  }
}
