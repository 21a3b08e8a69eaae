import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import type { IdempotentUnit } from '../database/transactions';
import { BodyLimit } from '../server/body-limit.decorator';
import { ValidatedBody } from '../server/validated.decorators';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import type { Attribution } from '../contract/attribution';
import { LIMITS } from '../contract/limits';
import { AssignWorkspacesService } from './assign-workspaces.service';
import { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import { ManageStatusDto } from './dto/manage-status.dto';
import { ManageStatusService } from './manage-status.service';
import { ASSIGN_WORKSPACES, MANAGE_STATUS } from './users.documentation';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { OneRefusalEndpoint } from '../auth/one-refusal-endpoint.decorator';

@Controller('api/users')
@ApiTags('Users')
export class UsersController {
  constructor(
    private readonly assignment: AssignWorkspacesService,
    private readonly status: ManageStatusService,
  ) {}

  @Post('workspace-assign')
  @BodyLimit(LIMITS.listBodyBytes)
  @AdministratorEndpoint(ASSIGN_WORKSPACES)
  assignWorkspaces(
    @ValidatedBody() body: AssignWorkspacesDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<void> {
    return this.assignment.execute(body, attribution, unit);
  }

  @Post('manage-status')
  @OneRefusalEndpoint('status.not_permitted', MANAGE_STATUS)
  manageStatus(
    @ValidatedBody() body: ManageStatusDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentBearer() bearer: Bearer,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<void> {
    return this.status.execute(body, attribution, bearer, unit);
  }
}
