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
import { toGroupBody, toGroupRecord } from '../records/record-bodies';
import { GROUP_FILTERS } from '../records/list-filters';
import { RecordReader } from '../records/record-reader';
import { Group } from '../directory/group.entity';
import { TakesIdLists } from '../server/json-body.interceptor';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangeGroupService } from './change-group.service';
import { CreateGroupService } from './create-group.service';
import { DeleteGroupService } from './delete-group.service';
import { ChangeGroupDto } from './dto/change-group.dto';
import { CreateGroupDto } from './dto/create-group.dto';
import { ListGroupsDto } from './dto/list-groups.dto';
import { GroupPageDto, GroupRecordDto } from './dto/group.dto';
import { CHANGE_GROUP, CREATE_GROUP, DELETE_GROUP, LIST_GROUPS, READ_GROUP } from './groups.documentation';

@Controller('api/groups')
@ApiTags('Groups')
export class GroupsController {
  constructor(
    private readonly records: RecordReader,
    private readonly creation: CreateGroupService,
    private readonly change: ChangeGroupService,
    private readonly deletion: DeleteGroupService,
  ) {}

  @Get()
  @ListEndpoint(LIST_GROUPS, GroupPageDto)
  async listGroups(@ValidatedQuery() query: ListGroupsDto): Promise<GroupPageDto> {
    const { records: groups, next } = await this.records.page(Group, query, toGroupBody, GROUP_FILTERS);
    return { groups, next };
  }

  @Get(':id')
  @ReadEndpoint(READ_GROUP, GroupRecordDto, 'group')
  getGroup(@Param('id') id: string): Promise<GroupRecordDto> {
    return this.records.one(Group, id, toGroupRecord);
  }

  @Post()
  @TakesIdLists()
  @CreateEndpoint(CREATE_GROUP, GroupRecordDto)
  createGroup(
    @ValidatedObject() body: CreateGroupDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<GroupRecordDto> {
    return this.creation.execute(body, context);
  }

  @Patch(':id')
  @TakesIdLists()
  @ChangeEndpoint(CHANGE_GROUP, GroupRecordDto, 'group')
  changeGroup(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeGroupDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<GroupRecordDto> {
    return this.change.execute(id, patch, context);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_GROUP)
  deleteGroup(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<void> {
    return this.deletion.execute(id, context);
  }
}
