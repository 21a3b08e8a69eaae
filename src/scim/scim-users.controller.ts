import { Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { USER_TYPE } from '@user-administration/scim-protocol';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { CallerGone } from '../server/caller-gone.decorator';
import { ChangeScimUserService } from './change-scim-user.service';
import { CreateScimUserService } from './create-scim-user.service';
import { type Connection, CurrentConnection } from './current-connection';
import { DeleteScimUserService } from './delete-scim-user.service';
import type { UserResource } from './provisioned-user';
import type { ResourceList, ScimQuery } from './list-page';
import { AnswersResources } from './resource-answer.interceptor';
import { ScimController } from './scim-controller.decorator';
import { ScimBody, ScimParameters } from './scim-input.decorators';
import { ScimUsersReader } from './scim-users-reader';

/** Users, for the identity provider of a connection (RFC 7644 section 3). Bodies are read by the schemas. */
@ScimController('Users')
@AnswersResources(USER_TYPE)
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsersReader,
    private readonly creation: CreateScimUserService,
    private readonly change: ChangeScimUserService,
    private readonly deletion: DeleteScimUserService,
  ) {}

  @Get()
  list(
    @ScimParameters() query: ScimQuery,
    @CurrentConnection() connection: Connection,
    @CallerGone() gone: AbortSignal,
  ): Promise<ResourceList<UserResource>> {
    return this.users.page(query, connection, gone);
  }

  @Get(':id')
  get(@Param('id') id: string, @CurrentConnection() connection: Connection): Promise<UserResource> {
    return this.users.one(id, connection);
  }

  @Post()
  create(
    @ScimBody() body: unknown,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserResource> {
    return this.creation.execute(body, connection, context);
  }

  @Put(':id')
  replace(
    @Param('id') id: string,
    @ScimBody() body: unknown,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserResource> {
    return this.change.replace(id, body, connection, context);
  }

  @Patch(':id')
  patch(
    @Param('id') id: string,
    @ScimBody() body: unknown,
    @CurrentConnection() connection: Connection,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserResource> {
    return this.change.patch(id, body, connection, context);
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
