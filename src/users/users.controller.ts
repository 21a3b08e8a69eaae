import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '../openapi/documentation.decorators';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import type { IdempotentUnit } from '../database/transactions';
import { CurrentPreferences, type Preferences } from '../server/preferences';
import { ValidatedBody, ValidatedQuery } from '../server/validated.decorators';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import type { Attribution } from '../contract/attribution';
import { AssignStatusesService } from './assign-statuses.service';
import { AssignWorkspacesService } from './assign-workspaces.service';
import type { BulkRepresentation } from './bulk-changes.service';
import { BulkEndpoint } from './bulk-endpoint.decorator';
import { AssignStatusesDto } from './dto/assign-statuses.dto';
import { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import {
  BulkQueryDto,
  type ChangedPlacesDto,
  type ChangedStatusDto,
  PlacesAnswerDto,
  StatusesAnswerDto,
} from './dto/bulk.dto';
import { ManageStatusDto } from './dto/manage-status.dto';
import { ManageStatusService } from './manage-status.service';
import { UnassignUsersService } from './unassign-users.service';
import { ASSIGN_STATUSES, ASSIGN_WORKSPACES, UNASSIGN_WORKSPACES } from './bulk.documentation';
import { MANAGE_STATUS } from './status.documentation';
import { OneRefusalEndpoint } from '../auth/one-refusal-endpoint.decorator';

@Controller('api/users')
@ApiTags('Users')
export class UsersController {
  constructor(
    private readonly assignment: AssignWorkspacesService,
    private readonly unassignment: UnassignUsersService,
    private readonly statuses: AssignStatusesService,
    private readonly status: ManageStatusService,
  ) {}

  @Post('workspace-assign')
  @BulkEndpoint(ASSIGN_WORKSPACES, PlacesAnswerDto)
  assignWorkspaces(
    @ValidatedBody() body: AssignWorkspacesDto,
    @CurrentAttribution() attribution: Attribution,
    @ValidatedQuery() query: BulkQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    return this.assignment.execute(body, attribution, unit, { ...query, ...preferences });
  }

  @Post('workspace-unassign')
  @BulkEndpoint(UNASSIGN_WORKSPACES, PlacesAnswerDto)
  unassignWorkspaces(
    @ValidatedBody() body: AssignWorkspacesDto,
    @CurrentAttribution() attribution: Attribution,
    @ValidatedQuery() query: BulkQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    return this.unassignment.execute(body, attribution, unit, { ...query, ...preferences });
  }

  @Post('status-assign')
  @BulkEndpoint(ASSIGN_STATUSES, StatusesAnswerDto)
  assignStatuses(
    @ValidatedBody() body: AssignStatusesDto,
    @CurrentAttribution() attribution: Attribution,
    @ValidatedQuery() query: BulkQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<BulkRepresentation<ChangedStatusDto>> {
    return this.statuses.execute(body, attribution, unit, { ...query, ...preferences });
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
