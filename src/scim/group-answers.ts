import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { GROUP_TYPE, Projection, USER_TYPE } from '@user-administration/scim-protocol';
import { PageBudget } from '../answers/page-budget';
import type { Connection } from './current-connection';
import { type ProvisionedGroup, toGroupResource } from './provisioned-group';
import { listOf, pageRequestOf, type ResourceList } from './list-page';
import { inPieces, readShown, type ShownMembers } from './member-stream';
import { addressOf, beginAnswer, located } from './resource-answer.interceptor';
import type { LocatedRequest } from './scim-answer.interceptor';
import { type GroupMember, ScimGroupsReader } from './scim-groups-reader';

type Shown = (member: GroupMember) => object;

/** Answers with groups, whose members can be more than fit into memory: beyond 4 MiB they are streamed. */
@Injectable()
export class GroupAnswers {
  constructor(private readonly groups: ScimGroupsReader) {}

  /** A group with its members, and the headers that follow from it. */
  async one(
    group: ProvisionedGroup,
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
    const members = await readShown(this.groups.members(group, connection), shown);
    if (!members.rest) return { ...head, members: members.first };
    return streamed({ ...head, members: [] }, members, shown, response);
  }

  /**
   * A page of groups. Their members are read only if they are asked for: groups whose members do not fit are for the
   * next page, and a group that is too large for any page is on one of its own.
   */
  async page(
    connection: Connection,
    request: LocatedRequest,
    response: Response,
    gone: AbortSignal,
  ): Promise<ResourceList<object> | StreamableFile> {
    const projection = new Projection(request.query, GROUP_TYPE);
    const asked = pageRequestOf(request.query, `Groups of ${connection.key}`);
    const { groups, total } = await this.groups.page(asked, connection, gone);
    const shown = toShown(request, projection);
    const budget = new PageBudget(asked.count);
    const fitting: object[] = [];
    const pageOf = (resources: object[]): ResourceList<object> => {
      const end = groups.length > resources.length ? groups[resources.length - 1]?.key : undefined;
      return listOf(asked, resources, total, end);
    };
    for (const group of groups.slice(0, asked.count)) {
      if (budget.isFull) break;
      const head = projection.of(located(request, GROUP_TYPE, toGroupResource(group)));
      const members = projection.has('members', false)
        ? await readShown(this.groups.members(group, connection), shown)
        : undefined;
      if (members?.rest && fitting.length > 0) break;
      if (members?.rest) return streamed(pageOf([{ ...head, members: [] }]), members, shown, response);
      const resource = members ? { ...head, members: members.first } : head;
      if (!budget.spend(Buffer.byteLength(JSON.stringify(resource)))) break;
      fitting.push(resource);
    }
    return pageOf(fitting);
  }
}

/** How a member is shown: with the parts that the request asks for. */
function toShown(request: LocatedRequest, projection: Projection): Shown {
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
  // Part of the answer has been sent and cannot be taken back: the caller sees that it is not whole.
  return new StreamableFile(Readable.from(inPieces(json.slice(0, at), members, shown, json.slice(at)))).setErrorHandler(
    () => response.destroy(),
  );
}
