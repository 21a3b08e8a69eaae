import { Injectable } from '@nestjs/common';
import { Workspace } from '../directory/workspace.entity';
import { toWorkspaceBody } from '../directory/record-bodies';
import { RecordLists } from '../directory/record-lists';
import type { ListQueryDto } from '../openapi/list-query.dto';
import type { WorkspacePageDto } from './dto/workspace.dto';

/** Lists workspaces. All given filters must match. */
@Injectable()
export class ListWorkspacesService {
  constructor(private readonly lists: RecordLists) {}

  async execute(query: ListQueryDto): Promise<WorkspacePageDto> {
    const page = await this.lists.page(Workspace, query);
    return { workspaces: page.records.map(toWorkspaceBody), next: page.next };
  }
}
