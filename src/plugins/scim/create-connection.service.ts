import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type ChangeContext, Journal, judgeCaller, lockExisting, Transactions } from '../door';
import { connectionsIn, factsOf, findConnections, type FoundConnection, toConnection } from './connections-reader';
import { hashOf, makeToken } from './connection-token';
import type { CreateConnectionDto, ScimConnectionWithTokenDto } from './dto/scim-connection.dto';
import { refuseUnknownWorkspaces } from './lock-connection';
import { ScimConnection } from './scim-connection.entity';
import { CONNECTION_ACTIONS } from './actions';

/** Creates a connection for an identity provider. Only this answer contains its token. */
@Injectable()
export class CreateConnectionService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `field.invalid` for an unknown workspace */
  async execute(body: CreateConnectionDto, context: ChangeContext): Promise<ScimConnectionWithTokenDto> {
    const token = makeToken();
    const more = [...new Set(body.workspaces)];
    return this.transactions.run(async (manager) => {
      const workspaces = await lockExisting(manager, 'workspaces', [body.workspace, ...more]);
      const judged = await judgeCaller(manager, context);
      refuseUnknownWorkspaces(body, workspaces);

      const [workspaceKey = ''] = workspaces.keysOf([body.workspace]);
      const id = uuidv7();
      await manager.insert(ScimConnection, {
        id,
        name: body.name,
        workspaceKey,
        moreWorkspaceKeys: workspaces.keysOf(more),
        idFrom: body.idFrom ?? 'externalId',
        mayGrantAdministrator: body.mayGrantAdministrator ?? false,
        tokenHash: hashOf(token),
      });
      const [found] = (await findConnections(connectionsIn(manager).where('connection.id = :id', { id }))) as [
        FoundConnection,
      ];
      const made = toConnection(found);
      await this.journal.append(manager, judged, [
        CONNECTION_ACTIONS.entry('scim_connection.created', {
          workspaces: [made.workspace, ...made.workspaces],
          after: factsOf(made),
        }),
      ]);
      return { ...made, token };
    }, context.unit);
  }
}
