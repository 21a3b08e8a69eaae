import { Delete, Get, HttpCode, Param, Patch, Post, Put, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { CallerGone } from '../server/caller-gone.decorator';
import { TakesIdLists } from '../server/input.interceptor';
import { ChangeScimGroupService } from './change-scim-group.service';
import { CreateScimGroupService } from './create-scim-group.service';
import { type Connection, CurrentConnection } from './current-connection';
import { DeleteScimGroupService } from './delete-scim-group.service';
import { GroupAnswers } from './group-answers';
import type { ResourceList } from './list-page';
import type { LocatedRequest } from './scim-answer.interceptor';
import { ScimController } from './scim-controller.decorator';
import { ScimGroupsReader } from './scim-groups-reader';
import { ScimBody } from './scim-input.decorators';

/** Groups, for the identity provider of a connection (RFC 7644 section 3). Bodies are read by the schemas. */
@ScimController('Groups')
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroupsReader,
    private readonly answers: GroupAnswers,
    private readonly creation: CreateScimGroupService,
    private readonly change: ChangeScimGroupService,
    private readonly deletion: DeleteScimGroupService,
  ) {}

  @Get()
  list(
    @Req() request: LocatedRequest,
    @CurrentConnection() connection: Connection,
    @Res({ passthrough: true }) response: Response,
    @CallerGone() gone: AbortSignal,
  ): Promise<ResourceList<object> | StreamableFile> {
    return this.answers.page(connection, request, response, gone);
  }

  @Get(':id')
  async get(
    @Param('id') id: string,
    @CurrentConnection() connection: Connection,
    @Req() request: LocatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    return this.answers.one(await this.groups.one(id, connection), connection, request, response);
  }

  @Post()
  @TakesIdLists()
  async create(
    @ScimBody() body: unknown,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
    @Req() request: LocatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const group = await this.creation.execute(body, connection, context);
    return this.answers.one(group, connection, request, response);
  }

  @Put(':id')
  @TakesIdLists()
  async replace(
    @Param('id') id: string,
    @ScimBody() body: unknown,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
    @Req() request: LocatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const group = await this.change.replace(id, body, connection, context);
    return this.answers.one(group, connection, request, response);
  }

  @Patch(':id')
  @TakesIdLists()
  async patch(
    @Param('id') id: string,
    @ScimBody() body: unknown,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
    @Req() request: LocatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const group = await this.change.patch(id, body, connection, context);
    return this.answers.one(group, connection, request, response);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(
    @Param('id') id: string,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
  ): Promise<void> {
    return this.deletion.execute(id, connection, context);
  }
}
