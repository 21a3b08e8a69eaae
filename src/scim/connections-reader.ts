import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { ListCursor } from '../records/list-cursor';
import { connectionsIn, findConnections, toConnection } from './connection-body';
import type { ListConnectionsDto, ScimConnectionDto, ScimConnectionPageDto } from './dto/scim-connection.dto';

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
    if (!found) throw new ServiceError('scim_connection.unknown');
    return toConnection(found);
  }
}
