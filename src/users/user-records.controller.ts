import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AdministratorEndpoint, ReaderEndpoint } from '../auth/guarded-endpoint.decorators';
import { AnswersRenamed } from '../openapi/record-answers.decorators';
import { ListEndpoint } from '../records/record-endpoints.decorators';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { toUserBody, toUserRecord } from '../records/record-bodies';
import { USER_FILTERS } from '../records/list-filters';
import { ChangeQueryDto, CreationQueryDto } from '../records/dry-run.dto';
import type { DryRunAnswer } from '../contract/answers';
import { RecordReader } from '../records/record-reader';
import { User } from '../directory/user.entity';
import { TakesIdLists } from '../server/input.interceptor';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangeUserService } from './change-user.service';
import { ExplainPermissionsService } from './explain-permissions.service';
import { HeldPermissionsDto, HeldPermissionsQueryDto } from './dto/held-permissions.dto';
import { CreateUserService } from './create-user.service';
import { DeleteUserService } from './delete-user.service';
import { ChangeUserDto } from './dto/change-user.dto';
import { CreateUserDto } from './dto/create-user.dto';
import { DeleteUserQueryDto } from './dto/delete-user.dto';
import { ListUsersDto } from './dto/list-users.dto';
import { MembershipPageDto, MembershipsQueryDto } from './dto/memberships.dto';
import { UserPageDto, UserRecordDto } from './dto/user.dto';
import { RenameUserDto } from './dto/rename-user.dto';
import { RenameUserService } from './rename-user.service';
import { ReadMembershipsService } from './read-memberships.service';
import { endpoint, EXPLAIN_PERMISSIONS, NEW_USERS, READ_MEMBERSHIPS, RENAME_USER } from './user-records.documentation';

@Controller('api/users')
@ApiTags('Users')
export class UserRecordsController {
  constructor(
    private readonly records: RecordReader,
    private readonly creation: CreateUserService,
    private readonly change: ChangeUserService,
    private readonly deletion: DeleteUserService,
    private readonly renaming: RenameUserService,
    private readonly memberships: ReadMembershipsService,
    private readonly explanation: ExplainPermissionsService,
  ) {}

  @Get()
  @endpoint.list(
    UserPageDto,
    `\`search\` looks in ids, email addresses and display names.

Pages neither skip nor repeat a user who existed throughout. The \`Link\` header leads to the next page.`,
  )
  async listUsers(@ValidatedQuery() query: ListUsersDto): Promise<UserPageDto> {
    const { records: users, ...page } = await this.records.page(User, query, toUserBody, USER_FILTERS);
    return { users, ...page };
  }

  @Get(':id')
  @endpoint.read(UserRecordDto, 'Returns the user with the direct permissions. ')
  getUser(@Param('id') id: string): Promise<UserRecordDto> {
    return this.records.one(User, id, toUserRecord);
  }

  @Get(':id/memberships')
  @ListEndpoint(READ_MEMBERSHIPS, MembershipPageDto, ReaderEndpoint)
  listMemberships(@Param('id') id: string, @ValidatedQuery() query: MembershipsQueryDto): Promise<MembershipPageDto> {
    return this.memberships.execute(id, query);
  }

  @Get(':id/permissions')
  @ListEndpoint(EXPLAIN_PERMISSIONS, HeldPermissionsDto, ReaderEndpoint)
  getUserPermissions(
    @Param('id') id: string,
    @ValidatedQuery() query: HeldPermissionsQueryDto,
  ): Promise<HeldPermissionsDto> {
    return this.explanation.execute(id, query);
  }

  @Post()
  @TakesIdLists()
  @endpoint.create(
    UserRecordDto,
    `The body can have permissions, workspaces and groups. It must list the workspace of each group. The type is
derived. Unknown fields are ignored.`,
    NEW_USERS,
  )
  createUser(
    @ValidatedObject() body: CreateUserDto,
    @ValidatedQuery() _: CreationQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserRecordDto> {
    return this.creation.execute(body, context);
  }

  @Patch(':id')
  @TakesIdLists()
  @endpoint.change(
    UserRecordDto,
    'absent fields stay, null clears. Memberships and the status have operations of their own.',
    {
      name: { summary: 'New name', value: { displayName: 'Ada Lovelace' } },
      permissions: {
        summary: 'Exactly these permissions',
        value: { permissions: ['content.read', 'users.administer'] },
      },
      email: { summary: 'No email address', value: { email: null } },
    },
  )
  changeUser(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeUserDto,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserRecordDto | DryRunAnswer> {
    return this.change.execute(id, patch, context, query);
  }

  @Post(':id/rename')
  @AnswersRenamed()
  @ApiOkResponse({ description: 'The user under the new id.', type: UserRecordDto })
  @AdministratorEndpoint(RENAME_USER)
  renameUser(
    @Param('id') id: string,
    @ValidatedObject() body: RenameUserDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserRecordDto> {
    return this.renaming.execute(id, body, context);
  }

  @Delete(':id')
  @endpoint.delete(
    'Also deletes the memberships and permissions of the user. From now on, every token of the user is refused.',
    'dee',
  )
  deleteUser(
    @Param('id') id: string,
    @ValidatedQuery() query: DeleteUserQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<void | DryRunAnswer> {
    return this.deletion.execute(id, context, query);
  }
}
