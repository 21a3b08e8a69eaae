import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { DataSource } from 'typeorm';
import {
  listBody,
  Projection,
  readListQuery,
  type ResourceList,
  type ResourceType,
  USER_TYPE,
} from '@user-administration/scim-protocol';
import { setEtag } from '../../answers/etag';
import { PageBudget } from '../../answers/page-budget';
import { type GroupMember, inPieces, membersOf, readShown, type ShownMembers } from './member-stream';
import type { Resource, ResourceKind } from './resource-kind';
import { ResourceReader } from './resource-reader';
import type { Exchange, ScimRequest } from './scim-request';

type Shown = (member: GroupMember) => object;
type Keyed = { key: string };

/**
 * Answers with users and groups: with their addresses, and with the attributes that the request asks for. Members of a
 * group can exceed the memory, so beyond 4 MiB they are streamed.
 */
@Injectable()
export class ResourceAnswers {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reader: ResourceReader,
  ) {}

  /** @throws ServiceError `user.unknown`, `group.unknown` */
  async find<Row extends Keyed>(kind: ResourceKind<Row>, id: string, exchange: Exchange): Promise<object | undefined> {
    return this.one(kind, await this.reader.one(kind, id, exchange.connection), exchange);
  }

  /**
   * Answers with one resource, and sets the headers that follow from it.
   *
   * @returns undefined for a PATCH that does not ask for attributes: it is answered with 204
   */
  async one<Row extends Keyed>(kind: ResourceKind<Row>, row: Row, exchange: Exchange): Promise<object | undefined> {
    const { request, response } = exchange;
    const projection = new Projection(request.query, kind.type);
    const resource = kind.toResource(row);
    setEtag(resource.meta.version, request, response);
    if (request.method === 'POST') response.setHeader('Location', addressOf(request, kind.type, resource.id));
    if (request.method === 'PATCH' && !projection.isAsked) {
      response.status(204);
      return undefined;
    }
    const head = projection.of(located(request, kind.type, resource));
    if (!kind.hasMembers || !projection.has('members')) return head;
    const shown = toShown(request, projection);
    const members = await this.readMembers(row, exchange, shown);
    if (!members.rest) return { ...head, members: members.first };
    return streamed({ ...head, members: [] }, members, shown, response);
  }

  /**
   * Answers with a page. Members of groups are read only if the request asks for them: a group whose members do not fit
   * begins the next page, and a group that is too large for any page has one of its own.
   */
  async page<Row extends Keyed>(
    kind: ResourceKind<Row>,
    exchange: Exchange,
    gone: AbortSignal,
  ): Promise<ResourceList | StreamableFile> {
    const { request, response, connection } = exchange;
    const projection = new Projection(request.query, kind.type);
    const asked = readListQuery(request.query);
    const { rows, total } = await this.reader.page(kind, asked, connection, gone);
    const pageOf = (resources: object[]): ResourceList => listBody(resources, { total, startIndex: asked.startIndex });
    const showsMembers = kind.hasMembers && projection.has('members', false);
    const shown = toShown(request, projection);
    const budget = new PageBudget(asked.count);
    const fitting: object[] = [];
    for (const row of rows) {
      if (budget.isFull) break;
      const head = projection.of(located(request, kind.type, kind.toResource(row)));
      const members = showsMembers ? await this.readMembers(row, exchange, shown) : undefined;
      if (members?.rest && fitting.length > 0) break;
      if (members?.rest) return streamed(pageOf([{ ...head, members: [] }]), members, shown, response);
      const resource = members ? { ...head, members: members.first } : head;
      if (!budget.spend(Buffer.byteLength(JSON.stringify(resource)))) break;
      fitting.push(resource);
    }
    return pageOf(fitting);
  }

  private readMembers({ key }: Keyed, { connection }: Exchange, shown: Shown): Promise<ShownMembers> {
    return readShown(membersOf(this.dataSource, key, connection.key), shown);
  }
}

const addressOf = ({ scimBase }: ScimRequest, { path }: ResourceType, id: string): string =>
  `${scimBase}/${path}/${encodeURIComponent(id)}`;

/** A resource with its address. */
const located = (request: ScimRequest, type: ResourceType, resource: Resource): object => ({
  ...resource,
  meta: { ...resource.meta, location: addressOf(request, type, resource.id) },
});

/** Shows the parts of a member that the request asks for. */
function toShown(request: ScimRequest, projection: Projection): Shown {
  return ({ id, displayName }) => {
    const member = {
      value: id,
      ...(displayName !== null && { display: displayName }),
      type: 'User',
      $ref: addressOf(request, USER_TYPE, id),
    };
    const { members = [] } = projection.of({ members: [member] }) as { members?: object[] };
    return members[0] ?? {};
  };
}

/** @param body ends with the empty list of the members and with brackets, as every answer with members does */
function streamed(body: object, members: ShownMembers, shown: Shown, response: Response): StreamableFile {
  const json = JSON.stringify(body);
  const at = json.lastIndexOf('[]') + 1;
  const pieces = inPieces(json.slice(0, at), members, shown, json.slice(at));
  // The sent part cannot be taken back, so a failure closes the connection: the caller sees that the answer is cut.
  return new StreamableFile(Readable.from(pieces)).setErrorHandler(() => response.destroy());
}
