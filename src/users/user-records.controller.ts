import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '../openapi/documentation.decorators';
import {
  ChangeEndpoint,
  CreateEndpoint,
  DeleteEndpoint,
  ListEndpoint,
  ReadEndpoint,
} from '../records/record-endpoints.decorators';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { toUserBody, toUserRecord } from '../records/record-bodies';
import { USER_FILTERS } from '../records/list-filters';
import { RecordReader } from '../records/record-reader';
import { User } from '../directory/user.entity';
import { TakesIdLists } from '../server/json-body.interceptor';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangeUserService } from './change-user.service';
import { ExplainPermissionsService } from './explain-permissions.service';
import { HeldPermissionsDto, HeldPermissionsQueryDto } from './dto/held-permissions.dto';
import { CreateUserService } from './create-user.service';
import { DeleteUserService } from './delete-user.service';
import { ChangeUserDto } from './dto/change-user.dto';
import { CreateUserDto } from './dto/create-user.dto';
import { ListUsersDto } from './dto/list-users.dto';
import { MembershipPageDto, MembershipsQueryDto } from './dto/memberships.dto';
import { UserPageDto, UserRecordDto } from './dto/user.dto';
import { ReadMembershipsService } from './read-memberships.service';
import {
  CHANGE_USER,
  CREATE_USER,
  DELETE_USER,
  LIST_USERS,
  EXPLAIN_PERMISSIONS,
  READ_MEMBERSHIPS,
  READ_USER,
} from './user-records.documentation';

@Controller('api/users')
@ApiTags('Users')
export class UserRecordsController {
  constructor(
    private readonly records: RecordReader,
    private readonly creation: CreateUserService,
    private readonly change: ChangeUserService,
    private readonly deletion: DeleteUserService,
    private readonly memberships: ReadMembershipsService,
    private readonly explanation: ExplainPermissionsService,
  ) {}

  @Get()
  @ListEndpoint(LIST_USERS, UserPageDto)
  async listUsers(@ValidatedQuery() query: ListUsersDto): Promise<UserPageDto> {
    const { records: users, next } = await this.records.page(User, query, toUserBody, USER_FILTERS);
    return { users, next };
  }

  @Get(':id')
  @ReadEndpoint(READ_USER, UserRecordDto, 'user')
  getUser(@Param('id') id: string): Promise<UserRecordDto> {
    return this.records.one(User, id, toUserRecord);
  }

  @Get(':id/memberships')
  @ListEndpoint(READ_MEMBERSHIPS, MembershipPageDto)
  listMemberships(@Param('id') id: string, @ValidatedQuery() query: MembershipsQueryDto): Promise<MembershipPageDto> {
    return this.memberships.execute(id, query);
  }

  @Get(':id/permissions')
  @ListEndpoint(EXPLAIN_PERMISSIONS, HeldPermissionsDto)
  getUserPermissions(
    @Param('id') id: string,
    @ValidatedQuery() query: HeldPermissionsQueryDto,
  ): Promise<HeldPermissionsDto> {
    return this.explanation.execute(id, query);
  }

  @Post()
  @TakesIdLists()
  @CreateEndpoint(CREATE_USER, UserRecordDto)
  createUser(@ValidatedObject() body: CreateUserDto, @CurrentChange() context: ChangeContext): Promise<UserRecordDto> {
    return this.creation.execute(body, context);
  }

  @Patch(':id')
  @TakesIdLists()
  @ChangeEndpoint(CHANGE_USER, UserRecordDto, 'user')
  changeUser(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeUserDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<UserRecordDto> {
    return this.change.execute(id, patch, context);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_USER)
  deleteUser(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<void> {
    return this.deletion.execute(id, context);
  }
}
