import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { LIMITS } from '../contract/limits';
import type { Connection } from './current-connection';
import { GROUP_TYPE } from './group-schema';
import { type KeptGroup, toGroupResource } from './kept-group';
import type { ResourceList } from './list-page';
import { addressOf, beginAnswer, located } from './resource-answer.interceptor';
import type { LocatedRequest } from './scim-answer.interceptor';
import { Projection } from './scim-attributes';
import { type GroupMember, type ListedGroup, MEMBERS_PART, ScimGroupsReader } from './scim-groups-reader';
import { USER_TYPE } from './user-schema';

/** Answers with groups, whose members can be more than fit into memory: beyond 4 MiB they are streamed. */
@Injectable()
export class GroupAnswers {
  constructor(private readonly groups: ScimGroupsReader) {}

  /** A group with its members, and the headers that follow from it. */
  async one(
    group: KeptGroup,
    connection: Connection,
    request: LocatedRequest,
    response: Response,
  ): Promise<object | undefined> {
    const projection = new Projection(request.query, GROUP_TYPE);
    const resource = toGroupResource(group);
    if (!beginAnswer(request, response, resource, projection, GROUP_TYPE)) return undefined;
    const head = projection.of(located(request, GROUP_TYPE, resource));
    if (!projection.has('members')) return head;
    const shown = toShown(request, projection);
    const parts = this.parts(group, connection);
    const { value: first = [] } = await parts.next();
    const members = first.map(shown);
    const isWhole = first.length < MEMBERS_PART && Buffer.byteLength(JSON.stringify(members)) <= LIMITS.pageBytes;
    if (isWhole) return { ...head, members };
    // Part of the answer has been sent and cannot be taken back: the caller sees that it is not whole.
    return new StreamableFile(Readable.from(jsonOf(head, members, parts, shown))).setErrorHandler(() =>
      response.destroy(),
    );
  }

  /** A page of groups. Their members are read only if they are asked for. */
  async page(connection: Connection, request: LocatedRequest): Promise<ResourceList<object>> {
    const projection = new Projection(request.query, GROUP_TYPE);
    const shown = toShown(request, projection);
    const membersOf = async (group: KeptGroup): Promise<object[]> => {
      const all: object[] = [];
      for await (const part of this.parts(group, connection)) all.push(...part.map(shown));
      return all;
    };
    const page = await this.groups.page(
      request.query,
      connection,
      projection.has('members', false) ? membersOf : undefined,
    );
    const complete = ({ members, ...group }: ListedGroup): object => ({
      ...projection.of(located(request, GROUP_TYPE, group)),
      ...(members && { members }),
    });
    return { ...page, Resources: page.Resources.map(complete) };
  }

  private async *parts(group: KeptGroup, connection: Connection): AsyncGenerator<GroupMember[], undefined> {
    for (let after: string | undefined; ;) {
      const part = await this.groups.members(group, connection, after);
      yield part;
      if (part.length < MEMBERS_PART) return;
      after = part.at(-1)?.key;
    }
  }
}

/** How a member is shown: with the parts that the request asks for. */
function toShown(request: LocatedRequest, projection: Projection): (member: GroupMember) => object {
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

async function* jsonOf(
  head: object,
  first: object[],
  parts: AsyncIterable<GroupMember[]>,
  shown: (member: GroupMember) => object,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"members":${JSON.stringify(first).slice(0, -1)}`;
  for await (const part of parts) for (const member of part) yield `,${JSON.stringify(shown(member))}`;
  yield ']}';
}
