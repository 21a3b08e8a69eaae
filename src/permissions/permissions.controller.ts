import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { Permission } from '../directory/permission.entity';
import { type ChangeContext, CurrentChange } from '../auth/change-context';
import { ApiTags } from '@nestjs/swagger';
import { PERMISSION_FILTERS } from '../records/list-filters';
import { toPermissionBody, toPermissionRecord } from '../records/record-bodies';
import { RecordEndpoints } from '../records/record-endpoints.decorators';
import { ChangeQueryDto, CreationQueryDto } from '../records/dry-run.dto';
import type { DryRunAnswer } from '../contract/answers';
import { RecordReader } from '../records/record-reader';
import { ValidatedObject, ValidatedQuery } from '../server/validated.decorators';
import { ChangePermissionService } from './change-permission.service';
import { CreatePermissionService } from './create-permission.service';
import { DeletePermissionService } from './delete-permission.service';
import {
  ChangePermissionDto,
  CreatePermissionDto,
  ListPermissionsDto,
  PermissionDto,
  PermissionPageDto,
} from './permission.dto';

const endpoint = new RecordEndpoints('permission', 'content.edit');

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
  @endpoint.list(PermissionPageDto, '`search` looks in ids and descriptions.')
  async listPermissions(@ValidatedQuery() query: ListPermissionsDto): Promise<PermissionPageDto> {
    const { records: permissions, ...page } = await this.records.page(
      Permission,
      query,
      toPermissionBody,
      PERMISSION_FILTERS,
    );
    return { permissions, ...page };
  }

  @Get(':id')
  @endpoint.read(PermissionDto)
  getPermission(@Param('id') id: string): Promise<PermissionDto> {
    return this.records.one(Permission, id, toPermissionRecord);
  }

  @Post()
  @endpoint.create(PermissionDto, 'To give it to users, workspaces or groups, change their `permissions`.', {
    publish: {
      summary: 'Grants the type manager',
      value: { id: 'content.publish', description: 'Publish content', grants: 'manager' },
    },
    access: { summary: 'Grants no higher type', value: { id: 'lobby.enter', grants: 'guest' } },
  })
  createPermission(
    @ValidatedObject() body: CreatePermissionDto,
    @ValidatedQuery() _: CreationQueryDto,
    @CurrentChange() context: ChangeContext,
  ) {
    return this.creation.execute(body, context);
  }

  @Patch(':id')
  @endpoint.change(
    PermissionDto,
    'absent fields stay, null clears the description. The types of all its holders are updated.',
    {
      grants: { summary: 'Grant the type manager', value: { grants: 'manager' } },
      description: { summary: 'New description', value: { description: 'Write and edit content' } },
    },
  )
  changePermission(
    @Param('id') id: string,
    @ValidatedObject() patch: ChangePermissionDto,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<PermissionDto | DryRunAnswer> {
    return this.change.execute(id, patch, context, query);
  }

  @Delete(':id')
  @endpoint.delete('All its holders lose it, and their types are updated.', 'workspace.manage')
  deletePermission(
    @Param('id') id: string,
    @ValidatedQuery() query: ChangeQueryDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<void | DryRunAnswer> {
    return this.deletion.execute(id, context, query);
  }
}
