import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '../openapi/documentation.decorators';
import { IfMatch } from '../answers/if-match.decorator';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import {
  ChangeEndpoint,
  CreateEndpoint,
  DeleteEndpoint,
  ListEndpoint,
  ReadEndpoint,
} from '../auth/record-endpoints.decorators';
import type { Attribution } from '../contract/attribution';
import { LIMITS } from '../contract/limits';
import type { IdempotentUnit } from '../database/transactions';
import { toGroupRecord } from '../directory/record-bodies';
import { RecordReader } from '../directory/record-reader';
import { Group } from '../directory/group.entity';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import { BodyLimit } from '../server/body-limit.decorator';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangeGroupService } from './change-group.service';
import { CreateGroupService } from './create-group.service';
import { DeleteGroupService } from './delete-group.service';
import { ChangeGroupDto } from './dto/change-group.dto';
import { CreateGroupDto } from './dto/create-group.dto';
import { ListGroupsDto } from './dto/list-groups.dto';
import { GroupPageDto, GroupRecordDto } from './dto/group.dto';
import { ListGroupsService } from './list-groups.service';
import { CHANGE_GROUP, CREATE_GROUP, DELETE_GROUP, LIST_GROUPS, READ_GROUP } from './groups.documentation';

@Controller('api/groups')
@ApiTags('Groups')
export class GroupsController {
  constructor(
    private readonly list: ListGroupsService,
    private readonly records: RecordReader,
    private readonly creation: CreateGroupService,
    private readonly change: ChangeGroupService,
    private readonly deletion: DeleteGroupService,
  ) {}

  @Get()
  @ListEndpoint(LIST_GROUPS, GroupPageDto)
  listGroups(@ValidatedQuery() query: ListGroupsDto): Promise<GroupPageDto> {
    return this.list.execute(query);
  }

  @Get(':id')
  @ReadEndpoint(READ_GROUP, GroupRecordDto, 'group')
  getGroup(@Param('id') id: string): Promise<GroupRecordDto> {
    return this.records.one(Group, id, toGroupRecord);
  }

  @Post()
  @BodyLimit(LIMITS.listBodyBytes)
  @CreateEndpoint(CREATE_GROUP, GroupRecordDto)
  createGroup(
    @ValidatedObject() body: CreateGroupDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<GroupRecordDto> {
    return this.creation.execute(body, attribution, unit);
  }

  @Patch(':id')
  @BodyLimit(LIMITS.listBodyBytes)
  @ChangeEndpoint(CHANGE_GROUP, GroupRecordDto, 'group')
  changeGroup(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeGroupDto,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<GroupRecordDto> {
    return this.change.execute(id, patch, attribution, ifMatch);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_GROUP)
  deleteGroup(
    @Param('id') id: string,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    return this.deletion.execute(id, attribution, ifMatch);
  }
}
