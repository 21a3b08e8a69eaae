import { Injectable } from '@nestjs/common';
import { Workspace } from '../directory/workspace.entity';
import { toWorkspaceBody } from '../directory/record-bodies';
import { RecordReader } from '../directory/record-reader';
import type { ListQueryDto } from '../openapi/list-query.dto';
import type { WorkspacePageDto } from './dto/workspace.dto';

/** Lists workspaces. All given filters must match. */
@Injectable()
export class ListWorkspacesService {
  constructor(private readonly records: RecordReader) {}

  async execute(query: ListQueryDto): Promise<WorkspacePageDto> {
    const page = await this.records.page(Workspace, query);
    return { workspaces: page.records.map(toWorkspaceBody), next: page.next };
  }
}
