import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentAct } from '../auth/current-act.decorator';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import type { Once } from '../database/transactions';
import { ShapedBody } from '../http/shaped.decorators';
import { CurrentOnce } from '../idempotency/current-once.decorator';
import type { Act } from '../journal/act';
import { AssignWorkspacesService } from './assign-workspaces.service';
import { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import { ManageStatusDto } from './dto/manage-status.dto';
import { ManageStatusService } from './manage-status.service';
import { ASSIGN_WORKSPACES, MANAGE_STATUS } from './users.documentation';
import { AdministratorEndpoint, CallerEndpoint } from './users.endpoints';

@Controller('api/users')
@ApiTags('Users')
export class UsersController {
  constructor(
    private readonly assignment: AssignWorkspacesService,
    private readonly status: ManageStatusService,
  ) {}

  @Post('workspace-assign')
  @AdministratorEndpoint(ASSIGN_WORKSPACES)
  assignWorkspaces(
    @ShapedBody() body: AssignWorkspacesDto,
    @CurrentAct() act: Act,
    @CurrentOnce() once?: Once,
  ): Promise<void> {
    return this.assignment.execute(body, act, once);
  }

  @Post('manage-status')
  @CallerEndpoint('status.not_permitted', MANAGE_STATUS)
  manageStatus(
    @ShapedBody() body: ManageStatusDto,
    @CurrentAct() act: Act,
    @CurrentBearer() bearer: Bearer,
    @CurrentOnce() once?: Once,
  ): Promise<void> {
    return this.status.execute(body, act, bearer, once);
  }
}
