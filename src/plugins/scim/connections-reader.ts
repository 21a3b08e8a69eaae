import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, type SelectQueryBuilder } from 'typeorm';
import { isIdentifier } from '../door';
import { ListCursor } from '../../records/list-cursor';
import type { ListConnectionsDto, ScimConnectionDto, ScimConnectionPageDto } from './dto/scim-connection.dto';
import { ScimConnection } from './scim-connection.entity';
import { CONNECTION_ERRORS } from './errors';

/** Reads connections, never their tokens. */
@Injectable()
export class ConnectionsReader {
  private readonly cursor = new ListCursor('scim_connections');

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @throws ServiceError `query.invalid` for a cursor of another list */
  async page({ limit, cursor }: ListConnectionsDto): Promise<ScimConnectionPageDto> {
    const query = connectionsIn(this.dataSource.manager)
      .orderBy('connection.id')
      .limit(limit + 1);
    const position = this.cursor.read(cursor);
    if (position) query.where('connection.id > :id', position);
    const found = await findConnections(query);
    const connections = found.slice(0, limit).map(toConnection);
    const last = found.length > limit ? connections.at(-1) : undefined;
    return { connections, next: last ? this.cursor.write({ id: last.id }) : null };
  }

  /** @throws ServiceError `scim_connection.unknown` */
  async get(id: string): Promise<ScimConnectionDto> {
    const query = connectionsIn(this.dataSource.manager).where('connection.id = :id', { id });
    const [found] = isIdentifier(id) ? await findConnections(query) : [];
    if (!found) throw CONNECTION_ERRORS.refusal('scim_connection.unknown');
    return toConnection(found);
  }
}

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
export function factsOf(connection: Omit<ScimConnectionDto, 'createdAt' | 'lastUsedAt'>) {
  const { id, name, workspace, workspaces, idFrom, mayGrantAdministrator } = connection;
  return { connection: id, name, workspace, workspaces, idFrom, mayGrantAdministrator };
}

/** The connections that end with a workspace, in order of id, for the dry run of its deletion. */
export async function connectionsEndingWith(manager: EntityManager, workspaceKey: string): Promise<object> {
  const connections = await manager.find(ScimConnection, {
    select: { id: true, name: true },
    where: { workspaceKey },
    order: { id: 'ASC' },
  });
  return { connections: connections.map(({ id, name }) => ({ id, name })) };
}
