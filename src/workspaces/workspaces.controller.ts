import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { Workspace } from '../directory/workspace.entity';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { ApiTags } from '@nestjs/swagger';
import { ListQueryDto } from '../records/list-query.dto';
import { toWorkspaceBody, toWorkspaceRecord } from '../records/record-bodies';
import { RecordEndpoints } from '../records/record-endpoints.decorators';
import { ChangeQueryDto, CreationQueryDto } from '../records/dry-run.dto';
import type { DryRunAnswer } from '../contract/answers';
import { RecordReader } from '../records/record-reader';
import { TakesIdLists } from '../server/input.interceptor';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangePlaceService } from './change-place.service';
import { CreatePlaceService } from './create-place.service';
import { DeletePlaceService } from './delete-place.service';
import { WORKSPACE } from './place-kinds';
import {
  ChangeWorkspaceDto,
  CreateWorkspaceDto,
  WorkspaceDeletionDryRunDto,
  WorkspacePageDto,
  WorkspaceRecordDto,
} from './workspace.dto';

const endpoint = new RecordEndpoints('workspace', 'atlas');

@Controller('api/workspaces')
@ApiTags('Workspaces')
export class WorkspacesController {
  constructor(
    private readonly records: RecordReader,
    private readonly creation: CreatePlaceService,
    private readonly change: ChangePlaceService,
    private readonly deletion: DeletePlaceService,
  ) {}

  @Get()
  @endpoint.list(WorkspacePageDto, '`search` looks in ids and names.')
  async listWorkspaces(@ValidatedQuery() query: ListQueryDto): Promise<WorkspacePageDto> {
    const { records: workspaces, ...page } = await this.records.page(Workspace, query, toWorkspaceBody);
    return { workspaces, ...page };
  }

  @Get(':id')
  @endpoint.read(WorkspaceRecordDto)
  getWorkspace(@Param('id') id: string): Promise<WorkspaceRecordDto> {
    return this.records.one(Workspace, id, toWorkspaceRecord);
  }

  @Post()
  @TakesIdLists()
  @endpoint.create(WorkspaceRecordDto, 'All its members hold its permissions.', {
    delta: { summary: 'With a permission', value: { id: 'delta', name: 'Delta', permissions: ['content.read'] } },
    made: { summary: 'With a generated id', value: { name: 'Epsilon' } },
  })
  createWorkspace(
    @ValidatedObject() body: CreateWorkspaceDto,
    @ValidatedQuery() _: CreationQueryDto,
    @CurrentChange() context: ChangeContext,
  ) {
    return this.creation.execute(WORKSPACE, body, context);
  }

  @Patch(':id')
  @TakesIdLists()
  @endpoint.change(WorkspaceRecordDto, 'absent fields stay. The types of all members are updated.', {
    name: { summary: 'New name', value: { name: 'Atlas One' } },
    permissions: { summary: 'Exactly these permissions', value: { permissions: ['content.read', 'content.edit'] } },
  })
  changeWorkspace(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeWorkspaceDto,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<WorkspaceRecordDto | DryRunAnswer> {
    return this.change.execute(WORKSPACE, id, patch, context, query);
  }

  @Delete(':id')
  @endpoint.delete(
    'Also deletes its groups and all memberships, updates the types of its members, and ends the connections of ' +
      'identity providers whose new groups live in it.',
    'cosmos',
    WorkspaceDeletionDryRunDto,
  )
  deleteWorkspace(
    @Param('id') id: string,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<void | DryRunAnswer> {
    return this.deletion.execute(WORKSPACE, id, context, query);
  }
}
