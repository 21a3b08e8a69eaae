import type { EntityManager } from 'typeorm';
import type { FilterNode, ResourceType } from '@user-administration/scim-protocol';
import { isIdentifier } from '../door';
import type { Connection } from './scim-request';

/** A resource as it is answered, but for its address. */
export interface Resource {
  id: string;
  meta: { version: string };
}

/** A kind of resource: where its rows are, and what they look like to a provider. */
export interface ResourceKind<Row> {
  readonly type: ResourceType;
  readonly unknown: 'user.unknown' | 'group.unknown';
  readonly columns: string;
  /** The rows that the connection with the key of `connectionKey` sees. */
  readonly from: string;
  /** As `from`, for a query of positions without a filter. */
  readonly positionsFrom: string;
  readonly connectionKey: string;
  readonly id: string;
  /** The key of a row, which is its position in lists. */
  readonly key: string;
  /** The key as lists are sorted by it. */
  readonly sortKey: string;
  /** The bytes of a row, as far as they have no bound of their own. */
  readonly bytes: string;
  readonly hasMembers: boolean;
  /** @param parameters begin with the key of the connection @throws ScimRefusal `invalidFilter` */
  condition(filter: FilterNode, parameters: unknown[]): string;
  /** Whether few rows can match a filter, so that all of them are found first, and then sorted. */
  isSelective(filter: FilterNode): boolean;
  toResource(row: Row): Resource;
}

/** Finds a resource by the id that SCIM gave it. */
export async function findResource<Row>(
  sender: Pick<EntityManager, 'query'>,
  { columns, from, connectionKey, id: ofRow }: ResourceKind<Row>,
  id: string,
  { key }: Pick<Connection, 'key'>,
): Promise<Row | undefined> {
  if (!isIdentifier(id)) return undefined;
  const [found] = await sender.query<Row[]>(
    `SELECT ${columns} FROM ${from} WHERE ${connectionKey} = $1 AND ${ofRow} = $2`,
    [key, id],
  );
  return found;
}
