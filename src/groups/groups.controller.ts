import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AnswersPage, AnswersRecord } from '../answers/record.step';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { ValidatedQuery } from '../server/validated.decorators';
import { ListGroupsDto } from './dto/list-groups.dto';
import { GroupPageDto, GroupRecordDto } from './dto/group.dto';
import { ListGroupsService } from './list-groups.service';
import { ReadGroupService } from './read-group.service';
import { LIST_GROUPS, READ_GROUP } from './groups.documentation';

@Controller('api/groups')
@ApiTags('Groups')
export class GroupsController {
  constructor(
    private readonly list: ListGroupsService,
    private readonly read: ReadGroupService,
  ) {}

  @Get()
  @AnswersPage()
  @ApiOkResponse({ description: 'One page.', type: GroupPageDto })
  @AdministratorEndpoint(LIST_GROUPS)
  listGroups(@ValidatedQuery() query: ListGroupsDto): Promise<GroupPageDto> {
    return this.list.execute(query);
  }

  @Get(':id')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The group.', type: GroupRecordDto })
  @AdministratorEndpoint(READ_GROUP)
  getGroup(@Param('id') id: string): Promise<GroupRecordDto> {
    return this.read.execute(id);
  }
}
