import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '../openapi/documentation.decorators';
import { ListQueryDto } from '../records/list-query.dto';
import {
  ChangeEndpoint,
  CreateEndpoint,
  DeleteEndpoint,
  ListEndpoint,
  ReadEndpoint,
} from '../records/record-endpoints.decorators';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { toWorkspaceBody, toWorkspaceRecord } from '../records/record-bodies';
import { RecordReader } from '../records/record-reader';
import { Workspace } from '../directory/workspace.entity';
import { TakesIdLists } from '../server/json-body.interceptor';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangeWorkspaceService } from './change-workspace.service';
import { CreateWorkspaceService } from './create-workspace.service';
import { DeleteWorkspaceService } from './delete-workspace.service';
import { ChangeWorkspaceDto } from './dto/change-workspace.dto';
import { CreateWorkspaceDto } from './dto/create-workspace.dto';
import { WorkspacePageDto, WorkspaceRecordDto } from './dto/workspace.dto';
import {
  CHANGE_WORKSPACE,
  CREATE_WORKSPACE,
  DELETE_WORKSPACE,
  LIST_WORKSPACES,
  READ_WORKSPACE,
} from './workspaces.documentation';

@Controller('api/workspaces')
@ApiTags('Workspaces')
export class WorkspacesController {
  constructor(
    private readonly records: RecordReader,
    private readonly creation: CreateWorkspaceService,
    private readonly change: ChangeWorkspaceService,
    private readonly deletion: DeleteWorkspaceService,
  ) {}

  @Get()
  @ListEndpoint(LIST_WORKSPACES, WorkspacePageDto)
  async listWorkspaces(@ValidatedQuery() query: ListQueryDto): Promise<WorkspacePageDto> {
    const { records: workspaces, next } = await this.records.page(Workspace, query, toWorkspaceBody);
    return { workspaces, next };
  }

  @Get(':id')
  @ReadEndpoint(READ_WORKSPACE, WorkspaceRecordDto, 'workspace')
  getWorkspace(@Param('id') id: string): Promise<WorkspaceRecordDto> {
    return this.records.one(Workspace, id, toWorkspaceRecord);
  }

  @Post()
  @TakesIdLists()
  @CreateEndpoint(CREATE_WORKSPACE, WorkspaceRecordDto)
  createWorkspace(
    @ValidatedObject() body: CreateWorkspaceDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<WorkspaceRecordDto> {
    return this.creation.execute(body, context);
  }

  @Patch(':id')
  @TakesIdLists()
  @ChangeEndpoint(CHANGE_WORKSPACE, WorkspaceRecordDto, 'workspace')
  changeWorkspace(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangeWorkspaceDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<WorkspaceRecordDto> {
    return this.change.execute(id, patch, context);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_WORKSPACE)
  deleteWorkspace(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<void> {
    return this.deletion.execute(id, context);
  }
}
