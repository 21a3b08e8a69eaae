import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { Group } from '../directory/group.entity';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { ApiTags } from '@nestjs/swagger';
import { GROUP_FILTERS } from '../records/list-filters';
import { toGroupBody, toGroupRecord } from '../records/record-bodies';
import { RecordEndpoints } from '../records/record-endpoints.decorators';
import { ChangeQueryDto, CreationQueryDto } from '../records/dry-run.dto';
import type { DryRunAnswer } from '../contract/answers';
import { RecordReader } from '../records/record-reader';
import { TakesIdLists } from '../server/input.interceptor';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangePlaceService } from './change-place.service';
import { CreatePlaceService } from './create-place.service';
import { DeletePlaceService } from './delete-place.service';
import { GROUP } from './place-kinds';
import { ChangeGroupDto, CreateGroupDto, GroupPageDto, GroupRecordDto, ListGroupsDto } from './group.dto';

const endpoint = new RecordEndpoints('group', 'atlas-editors');

@Controller('api/groups')
@ApiTags('Groups')
export class GroupsController {
  constructor(
    private readonly records: RecordReader,
    private readonly creation: CreatePlaceService,
    private readonly change: ChangePlaceService,
    private readonly deletion: DeletePlaceService,
  ) {}

  @Get()
  @endpoint.list(GroupPageDto, '`search` looks in ids and names.')
  async listGroups(@ValidatedQuery() query: ListGroupsDto): Promise<GroupPageDto> {
    const { records: groups, ...page } = await this.records.page(Group, query, toGroupBody, GROUP_FILTERS);
    return { groups, ...page };
  }

  @Get(':id')
  @endpoint.read(GroupRecordDto)
  getGroup(@Param('id') id: string): Promise<GroupRecordDto> {
    return this.records.one(Group, id, toGroupRecord);
  }

  @Post()
  @TakesIdLists()
  @endpoint.create(GroupRecordDto, 'A group stays in its workspace. All its members hold its permissions.', {
    readers: {
      summary: 'With a permission',
      value: { id: 'cosmos-readers', name: 'Readers', workspace: 'cosmos', permissions: ['content.read'] },
    },
    nowhere: { summary: 'Refused: an unknown workspace', value: { name: 'Readers', workspace: 'nowhere' } },
  })
  createGroup(
    @ValidatedObject() body: CreateGroupDto,
    @ValidatedQuery() _: CreationQueryDto,
    @CurrentChange() context: ChangeContext,
  ) {
    return this.creation.execute(GROUP, body, context);
  }

  @Patch(':id')
  @TakesIdLists()
  @endpoint.change(GroupRecordDto, 'absent fields stay. The types of all members are updated.', {
    name: { summary: 'New name', value: { name: 'Authors' } },
    permissions: { summary: 'No permissions', value: { permissions: [] } },
  })
  changeGroup(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeGroupDto,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<GroupRecordDto | DryRunAnswer> {
    return this.change.execute(GROUP, id, patch, context, query);
  }

  @Delete(':id')
  @endpoint.delete('Its members stay in the workspace, and lose the permissions of the group.', 'borealis-editors')
  deleteGroup(
    @Param('id') id: string,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<void | DryRunAnswer> {
    return this.deletion.execute(GROUP, id, context, query);
  }
}
