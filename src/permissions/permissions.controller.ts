import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '../openapi/documentation.decorators';
import {
  ChangeEndpoint,
  CreateEndpoint,
  DeleteEndpoint,
  ListEndpoint,
  ReadEndpoint,
} from '../records/record-endpoints.decorators';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { toPermissionBody, toPermissionRecord } from '../records/record-bodies';
import { PERMISSION_FILTERS } from '../records/list-filters';
import { RecordReader } from '../records/record-reader';
import { Permission } from '../directory/permission.entity';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangePermissionService } from './change-permission.service';
import { CreatePermissionService } from './create-permission.service';
import { DeletePermissionService } from './delete-permission.service';
import { ChangePermissionDto } from './dto/change-permission.dto';
import { CreatePermissionDto } from './dto/create-permission.dto';
import { ListPermissionsDto } from './dto/list-permissions.dto';
import { PermissionDto, PermissionPageDto } from './dto/permission.dto';
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
    private readonly records: RecordReader,
    private readonly creation: CreatePermissionService,
    private readonly change: ChangePermissionService,
    private readonly deletion: DeletePermissionService,
  ) {}

  @Get()
  @ListEndpoint(LIST_PERMISSIONS, PermissionPageDto)
  async listPermissions(@ValidatedQuery() query: ListPermissionsDto): Promise<PermissionPageDto> {
    const { records: permissions, next } = await this.records.page(
      Permission,
      query,
      toPermissionBody,
      PERMISSION_FILTERS,
    );
    return { permissions, next };
  }

  @Get(':id')
  @ReadEndpoint(READ_PERMISSION, PermissionDto, 'permission')
  getPermission(@Param('id') id: string): Promise<PermissionDto> {
    return this.records.one(Permission, id, toPermissionRecord);
  }

  @Post()
  @CreateEndpoint(CREATE_PERMISSION, PermissionDto)
  createPermission(
    @ValidatedObject() body: CreatePermissionDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<PermissionDto> {
    return this.creation.execute(body, context);
  }

  @Patch(':id')
  @ChangeEndpoint(CHANGE_PERMISSION, PermissionDto, 'permission')
  changePermission(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangePermissionDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<PermissionDto> {
    return this.change.execute(id, patch, context);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_PERMISSION)
  deletePermission(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<void> {
    return this.deletion.execute(id, context);
  }
}
