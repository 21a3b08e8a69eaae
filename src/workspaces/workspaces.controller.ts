import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AnswersPage, AnswersRecord } from '../answers/record.step';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { ListQueryDto } from '../openapi/list-query.dto';
import { ValidatedQuery } from '../server/validated.decorators';
import { WorkspacePageDto, WorkspaceRecordDto } from './dto/workspace.dto';
import { ListWorkspacesService } from './list-workspaces.service';
import { ReadWorkspaceService } from './read-workspace.service';
import { LIST_WORKSPACES, READ_WORKSPACE } from './workspaces.documentation';

@Controller('api/workspaces')
@ApiTags('Workspaces')
export class WorkspacesController {
  constructor(
    private readonly list: ListWorkspacesService,
    private readonly read: ReadWorkspaceService,
  ) {}

  @Get()
  @AnswersPage()
  @ApiOkResponse({ description: 'One page.', type: WorkspacePageDto })
  @AdministratorEndpoint(LIST_WORKSPACES)
  listWorkspaces(@ValidatedQuery() query: ListQueryDto): Promise<WorkspacePageDto> {
    return this.list.execute(query);
  }

  @Get(':id')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The workspace.', type: WorkspaceRecordDto })
  @AdministratorEndpoint(READ_WORKSPACE)
  getWorkspace(@Param('id') id: string): Promise<WorkspaceRecordDto> {
    return this.read.execute(id);
  }
}
