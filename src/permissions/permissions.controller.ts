import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '../openapi/documentation.decorators';
import { IfMatch } from '../answers/if-match.decorator';
import { AnswersCreated, AnswersPage, AnswersRecord } from '../openapi/record-answers.decorators';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { CurrentAttribution } from '../auth/current-attribution.decorator';
import type { Attribution } from '../contract/attribution';
import type { IdempotentUnit } from '../database/transactions';
import { CurrentIdempotentUnit } from '../idempotency/current-idempotent-unit.decorator';
import { AcceptsMergePatch } from '../openapi/merge-patch.decorator';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangePermissionService } from './change-permission.service';
import { CreatePermissionService } from './create-permission.service';
import { DeletePermissionService } from './delete-permission.service';
import { ChangePermissionDto } from './dto/change-permission.dto';
import { CreatePermissionDto } from './dto/create-permission.dto';
import { ListPermissionsDto } from './dto/list-permissions.dto';
import { PermissionDto, PermissionPageDto } from './dto/permission.dto';
import { ListPermissionsService } from './list-permissions.service';
import { ReadPermissionService } from './read-permission.service';
import {
  CHANGE_PERMISSION,
  CREATE_PERMISSION,
  DELETE_PERMISSION,
  LIST_PERMISSIONS,
  READ_PERMISSION,
} from './permissions.documentation';

@Controller('api/permissions')
@ApiTags('Permissions')
export class PermissionsController {
  constructor(
    private readonly list: ListPermissionsService,
    private readonly read: ReadPermissionService,
    private readonly creation: CreatePermissionService,
    private readonly change: ChangePermissionService,
    private readonly deletion: DeletePermissionService,
  ) {}

  @Get()
  @AnswersPage()
  @ApiOkResponse({ description: 'One page.', type: PermissionPageDto })
  @AdministratorEndpoint(LIST_PERMISSIONS)
  listPermissions(@ValidatedQuery() query: ListPermissionsDto): Promise<PermissionPageDto> {
    return this.list.execute(query);
  }

  @Get(':id')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The permission.', type: PermissionDto })
  @AdministratorEndpoint(READ_PERMISSION)
  getPermission(@Param('id') id: string): Promise<PermissionDto> {
    return this.read.execute(id);
  }

  @Post()
  @AnswersCreated()
  @ApiCreatedResponse({ description: 'Created.', type: PermissionDto })
  @AdministratorEndpoint(CREATE_PERMISSION)
  createPermission(
    @ValidatedObject() body: CreatePermissionDto,
    @CurrentAttribution() attribution: Attribution,
    @CurrentIdempotentUnit() unit?: IdempotentUnit,
  ): Promise<PermissionDto> {
    return this.creation.execute(body, attribution, unit);
  }

  @Patch(':id')
  @AcceptsMergePatch()
  @AnswersRecord()
  @ApiOkResponse({ description: 'The permission as it is now.', type: PermissionDto })
  @AdministratorEndpoint(CHANGE_PERMISSION)
  changePermission(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangePermissionDto,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<PermissionDto> {
    return this.change.execute(id, patch, attribution, ifMatch);
  }

  @Delete(':id')
  @ApiNoContentResponse({ description: 'Deleted.' })
  @AdministratorEndpoint(DELETE_PERMISSION)
  deletePermission(
    @Param('id') id: string,
    @CurrentAttribution() attribution: Attribution,
    @IfMatch() ifMatch?: string,
  ): Promise<void> {
    return this.deletion.execute(id, attribution, ifMatch);
  }
}
