import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AnswersPage, AnswersRecord } from '../answers/record.step';
import { AdministratorEndpoint } from '../auth/administrator-endpoint.decorator';
import { ValidatedQuery } from '../server/validated.decorators';
import { ListPermissionsDto } from './dto/list-permissions.dto';
import { PermissionDto, PermissionPageDto } from './dto/permission.dto';
import { ListPermissionsService } from './list-permissions.service';
import { ReadPermissionService } from './read-permission.service';
import { LIST_PERMISSIONS, READ_PERMISSION } from './permissions.documentation';

@Controller('api/permissions')
@ApiTags('Permissions')
export class PermissionsController {
  constructor(
    private readonly list: ListPermissionsService,
    private readonly read: ReadPermissionService,
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
}
