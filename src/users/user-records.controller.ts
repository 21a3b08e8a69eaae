import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AnswersPage, AnswersRecord } from '../answers/record.step';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { ValidatedQuery } from '../server/validated.decorators';
import { ListUsersDto } from './dto/list-users.dto';
import { MembershipPageDto, MembershipsQueryDto } from './dto/memberships.dto';
import { UserPageDto, UserRecordDto } from './dto/user.dto';
import { ListUsersService } from './list-users.service';
import { ReadMembershipsService } from './read-memberships.service';
import { ReadUserService } from './read-user.service';
import { LIST_USERS, READ_MEMBERSHIPS, READ_USER } from './user-records.documentation';

@Controller('api/users')
@ApiTags('Users')
export class UserRecordsController {
  constructor(
    private readonly list: ListUsersService,
    private readonly read: ReadUserService,
    private readonly memberships: ReadMembershipsService,
  ) {}

  @Get()
  @AnswersPage()
  @ApiOkResponse({ description: 'One page.', type: UserPageDto })
  @AdministratorEndpoint(LIST_USERS)
  listUsers(@ValidatedQuery() query: ListUsersDto): Promise<UserPageDto> {
    return this.list.execute(query);
  }

  @Get(':id')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The user.', type: UserRecordDto })
  @AdministratorEndpoint(READ_USER)
  getUser(@Param('id') id: string): Promise<UserRecordDto> {
    return this.read.execute(id);
  }

  @Get(':id/memberships')
  @AnswersPage()
  @ApiOkResponse({ description: 'One page.', type: MembershipPageDto })
  @AdministratorEndpoint(READ_MEMBERSHIPS)
  listMemberships(@Param('id') id: string, @ValidatedQuery() query: MembershipsQueryDto): Promise<MembershipPageDto> {
    return this.memberships.execute(id, query);
  }
}
