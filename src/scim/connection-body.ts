import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { ScimConnectionDto } from './dto/scim-connection.dto';
import { ScimConnection } from './scim-connection.entity';

/** A connection with the ids of its further workspaces. */
export interface FoundConnection {
  connection: ScimConnection;
  workspaces: string[];
}

/** A query for connections with their workspaces, with the alias `connection`. */
export function connectionsIn(manager: EntityManager): SelectQueryBuilder<ScimConnection> {
  const ids = `ARRAY(SELECT w.id FROM unnest(connection.more_workspace_keys) WITH ORDINALITY AS more (key, nth)
    JOIN workspaces AS w USING (key) ORDER BY nth)`;
  return manager
    .createQueryBuilder(ScimConnection, 'connection')
    .innerJoinAndSelect('connection.workspace', 'workspace')
    .addSelect(ids, 'workspaces');
}

/** The connections that a query of {@link connectionsIn} finds. */
export async function findConnections(query: SelectQueryBuilder<ScimConnection>): Promise<FoundConnection[]> {
  const { entities, raw } = await query.getRawAndEntities<{ workspaces: string[] }>();
  return entities.map((connection, index) => ({ connection, workspaces: raw[index]?.workspaces ?? [] }));
}

/** A connection as the API shows it, without its token. */
export function toConnection({ connection, workspaces }: FoundConnection): ScimConnectionDto {
  const { id, name, workspace, idFrom, mayGrantAdministrator, createdAt, lastUsedAt } = connection;
  return {
    id,
    name,
    workspace: workspace?.id ?? '',
    workspaces,
    idFrom,
    mayGrantAdministrator,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** The facts about a connection in the journal. */
export function factsOf({ id, name, workspace, workspaces, idFrom, mayGrantAdministrator }: ScimConnectionDto) {
  return { connection: id, name, workspace, workspaces, idFrom, mayGrantAdministrator };
}
