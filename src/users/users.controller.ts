import { Controller, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { type Bearer, CurrentBearer } from '../auth/current-bearer.decorator';
import { DryRunQueryDto } from '../records/dry-run.dto';
import { CurrentPreferences, type Preferences } from '@user-administration/http';
import { ValidatedBody, ValidatedQuery } from '../server/validated.decorators';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { AssignStatusesService } from './assign-statuses.service';
import { AssignWorkspacesService } from './assign-workspaces.service';
import type { BulkRepresentation } from './bulk-changes';
import { BulkEndpoint } from './bulk-endpoint.decorator';
import { AssignStatusesDto } from './dto/assign-statuses.dto';
import { AssignWorkspacesDto } from './dto/assign-workspaces.dto';
import { type ChangedPlacesDto, type ChangedStatusDto, PlacesAnswerDto, StatusesAnswerDto } from './dto/bulk.dto';
import { ManageStatusDto } from './dto/manage-status.dto';
import { MintStatusTokenDto } from './dto/mint-status-token.dto';
import { StatusTokenDto } from './dto/status-token.dto';
import { ManageStatusService } from './manage-status.service';
import { MintStatusTokenService } from './mint-status-token.service';
import { UnassignUsersService } from './unassign-users.service';
import { ASSIGN_STATUSES, ASSIGN_WORKSPACES, UNASSIGN_WORKSPACES } from './bulk.documentation';
import { MANAGE_STATUS, MINT_STATUS_TOKEN } from './status.documentation';
import { AdministratorEndpoint } from '../auth/guarded-endpoint.decorators';
import { OneRefusalEndpoint } from '../auth/one-refusal-endpoint.decorator';

@Controller('api/users')
@ApiTags('Users')
export class UsersController {
  constructor(
    private readonly assignment: AssignWorkspacesService,
    private readonly unassignment: UnassignUsersService,
    private readonly statuses: AssignStatusesService,
    private readonly status: ManageStatusService,
    private readonly tokens: MintStatusTokenService,
  ) {}

  @Post('workspace-assign')
  @BulkEndpoint(ASSIGN_WORKSPACES, PlacesAnswerDto)
  assignWorkspaces(
    @ValidatedBody() body: AssignWorkspacesDto,
    @ValidatedQuery() query: DryRunQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentChange() context: ChangeContext,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    return this.assignment.execute(body, context, { ...query, ...preferences });
  }

  @Post('workspace-unassign')
  @BulkEndpoint(UNASSIGN_WORKSPACES, PlacesAnswerDto)
  unassignWorkspaces(
    @ValidatedBody() body: AssignWorkspacesDto,
    @ValidatedQuery() query: DryRunQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentChange() context: ChangeContext,
  ): Promise<BulkRepresentation<ChangedPlacesDto>> {
    return this.unassignment.execute(body, context, { ...query, ...preferences });
  }

  @Post('status-assign')
  @BulkEndpoint(ASSIGN_STATUSES, StatusesAnswerDto)
  assignStatuses(
    @ValidatedBody() body: AssignStatusesDto,
    @ValidatedQuery() query: DryRunQueryDto,
    @CurrentPreferences() preferences: Preferences,
    @CurrentChange() context: ChangeContext,
  ): Promise<BulkRepresentation<ChangedStatusDto>> {
    return this.statuses.execute(body, context, { ...query, ...preferences });
  }

  @Post('manage-status')
  @OneRefusalEndpoint('status.not_permitted', MANAGE_STATUS)
  manageStatus(
    @ValidatedBody() body: ManageStatusDto,
    @CurrentBearer() bearer: Bearer,
    @CurrentChange() context: ChangeContext,
  ): Promise<void> {
    return this.status.execute(body, context, bearer);
  }

  @Post('status-tokens')
  @ApiOkResponse({ description: 'The status token.', type: StatusTokenDto })
  @AdministratorEndpoint(MINT_STATUS_TOKEN)
  mintStatusToken(
    @ValidatedBody() body: MintStatusTokenDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<StatusTokenDto> {
    return this.tokens.execute(body, context);
  }
}
