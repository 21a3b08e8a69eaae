import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '../openapi/documentation.decorators';
import { IfMatch } from '../answers/if-match.decorator';
import { AnswersCreated, AnswersPage, AnswersRecord } from '../openapi/record-answers.decorators';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import type { Attribution } from '../contract/attribution';
import { LIMITS } from '../contract/limits';
import type { IdempotentUnit } from '../database/transactions';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import { BodyLimit } from '../server/body-limit.decorator';
import { AcceptsMergePatch } from '../openapi/merge-patch.decorator';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangeGroupService } from './change-group.service';
import { CreateGroupService } from './create-group.service';
import { DeleteGroupService } from './delete-group.service';
import { ChangeGroupDto } from './dto/change-group.dto';
import { CreateGroupDto } from './dto/create-group.dto';
import { ListGroupsDto } from './dto/list-groups.dto';
import { GroupPageDto, GroupRecordDto } from './dto/group.dto';
import { ListGroupsService } from './list-groups.service';
import { ReadGroupService } from './read-group.service';
import { CHANGE_GROUP, CREATE_GROUP, DELETE_GROUP, LIST_GROUPS, READ_GROUP } from './groups.documentation';

@Controller('api/groups')
@ApiTags('Groups')
export class GroupsController {
  constructor(
    private readonly list: ListGroupsService,
    private readonly read: ReadGroupService,
    private readonly creation: CreateGroupService,
    private readonly change: ChangeGroupService,
    private readonly deletion: DeleteGroupService,
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

  @Post()
  @BodyLimit(LIMITS.listBodyBytes)
  @AnswersCreated()
  @ApiCreatedResponse({ description: 'Created.', type: GroupRecordDto })
  @AdministratorEndpoint(CREATE_GROUP)
  createGroup(
    @ValidatedObject() body: CreateGroupDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<GroupRecordDto> {
    return this.creation.execute(body, attribution, unit);
  }

  @Patch(':id')
  @BodyLimit(LIMITS.listBodyBytes)
  @AcceptsMergePatch()
  @AnswersRecord()
  @ApiOkResponse({ description: 'The group as it is now.', type: GroupRecordDto })
  @AdministratorEndpoint(CHANGE_GROUP)
  changeGroup(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeGroupDto,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<GroupRecordDto> {
    return this.change.execute(id, patch, attribution, ifMatch);
  }

  @Delete(':id')
  @ApiNoContentResponse({ description: 'Deleted.' })
  @AdministratorEndpoint(DELETE_GROUP)
  deleteGroup(
    @Param('id') id: string,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    return this.deletion.execute(id, attribution, ifMatch);
  }
}
