import { Delete, Get, HttpCode, Param, Patch, Post, Put, type StreamableFile } from '@nestjs/common';
import type { ResourceList } from '@user-administration/scim-protocol';
import { type ChangeContext, CurrentChange } from '../door';
import { CallerGone } from '@user-administration/http';
import { TakesIdLists } from '../../server/input.interceptor';
import { ChangeScimGroupService } from './change-scim-group.service';
import { ChangeScimUserService } from './change-scim-user.service';
import { CreateScimGroupService } from './create-scim-group.service';
import { CreateScimUserService } from './create-scim-user.service';
import { DeleteScimGroupService } from './delete-scim-group.service';
import { DeleteScimUserService } from './delete-scim-user.service';
import { GROUPS, type ProvisionedGroup } from './provisioned-group';
import { type ProvisionedUser, USERS } from './provisioned-user';
import { ResourceAnswers } from './resource-answers';
import type { ResourceKind } from './resource-kind';
import { ScimController } from './scim-controller.decorator';
import { type Connection, CurrentExchange, type Exchange, ScimBody } from './scim-request';

interface Creation<Row> {
  execute(body: unknown, connection: Connection, context: ChangeContext): Promise<Row>;
}

interface Change<Row> {
  replace(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<Row>;
  patch(id: string, body: unknown, connection: Connection, context: ChangeContext): Promise<Row>;
}

interface Deletion {
  execute(id: string, connection: Connection, context: ChangeContext): Promise<void>;
}

/** The routes of a kind of resource (RFC 7644 section 3). The schemas read the bodies. */
abstract class ResourceController<Row extends { key: string }> {
  protected constructor(
    private readonly kind: ResourceKind<Row>,
    private readonly answers: ResourceAnswers,
    private readonly creation: Creation<Row>,
    private readonly change: Change<Row>,
    private readonly deletion: Deletion,
  ) {}

  @Get()
  list(@CurrentExchange() exchange: Exchange, @CallerGone() gone: AbortSignal): Promise<ResourceList | StreamableFile> {
    return this.answers.page(this.kind, exchange, gone);
  }

  @Get(':id')
  get(@Param('id') id: string, @CurrentExchange() exchange: Exchange): Promise<object | undefined> {
    return this.answers.find(this.kind, id, exchange);
  }

  @Post()
  async create(
    @ScimBody() body: unknown,
    @CurrentExchange() exchange: Exchange,
    @CurrentChange() context: ChangeContext,
  ): Promise<object | undefined> {
    const row = await this.creation.execute(body, exchange.connection, context);
    return this.answers.one(this.kind, row, exchange);
  }

  @Put(':id')
  async replace(
    @Param('id') id: string,
    @ScimBody() body: unknown,
    @CurrentExchange() exchange: Exchange,
    @CurrentChange() context: ChangeContext,
  ): Promise<object | undefined> {
    const row = await this.change.replace(id, body, exchange.connection, context);
    return this.answers.one(this.kind, row, exchange);
  }

  @Patch(':id')
  async patch(
    @Param('id') id: string,
    @ScimBody() body: unknown,
    @CurrentExchange() exchange: Exchange,
    @CurrentChange() context: ChangeContext,
  ): Promise<object | undefined> {
    const row = await this.change.patch(id, body, exchange.connection, context);
    return this.answers.one(this.kind, row, exchange);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(
    @Param('id') id: string,
    @CurrentExchange() { connection }: Exchange,
    @CurrentChange() context: ChangeContext,
  ): Promise<void> {
    return this.deletion.execute(id, connection, context);
  }
}

@ScimController('Users')
export class ScimUsersController extends ResourceController<ProvisionedUser> {
  constructor(
    answers: ResourceAnswers,
    creation: CreateScimUserService,
    change: ChangeScimUserService,
    deletion: DeleteScimUserService,
  ) {
    super(USERS, answers, creation, change, deletion);
  }
}

@ScimController('Groups')
@TakesIdLists()
export class ScimGroupsController extends ResourceController<ProvisionedGroup> {
  constructor(
    answers: ResourceAnswers,
    creation: CreateScimGroupService,
    change: ChangeScimGroupService,
    deletion: DeleteScimGroupService,
  ) {
    super(GROUPS, answers, creation, change, deletion);
  }
}
