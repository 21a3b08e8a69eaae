import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Workspace } from '../directory/workspace.entity';
import { toWorkspaceBody } from '../directory/record-bodies';
import { RecordLists } from '../directory/record-lists';
import type { ListQueryDto } from '../openapi/list-query.dto';
import type { WorkspacePageDto } from './dto/workspace.dto';

/** Lists workspaces. All given filters must match. */
@Injectable()
export class ListWorkspacesService {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly lists: RecordLists,
  ) {}

  async execute(query: ListQueryDto): Promise<WorkspacePageDto> {
    const page = await this.lists.page('workspaces', () => this.workspaces.createQueryBuilder('record'), query);
    return { workspaces: page.records.map(toWorkspaceBody), next: page.next };
  }
}
