import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  AdministratorEndpoint,
  type ChangeContext,
  CreateEndpoint,
  CurrentChange,
  DeleteEndpoint,
  ListEndpoint,
  ReadEndpoint,
  ValidatedBody,
  ValidatedObject,
  ValidatedQuery,
} from '../door';
import { AnswersRecord } from '../../openapi/record-answers.decorators';
import { ChangeConnectionService } from './change-connection.service';
import {
  CHANGE_CONNECTION,
  CREATE_CONNECTION,
  DELETE_CONNECTION,
  GET_CONNECTION,
  LIST_CONNECTIONS,
  ROTATE_TOKEN,
} from './connections.documentation';
import { ConnectionsReader } from './connections-reader';
import { CreateConnectionService } from './create-connection.service';
import { DeleteConnectionService } from './delete-connection.service';
import {
  ChangeConnectionDto,
  ConnectionTokenDto,
  CreateConnectionDto,
  ListConnectionsDto,
  RotateTokenDto,
  ScimConnectionDto,
  ScimConnectionPageDto,
  ScimConnectionWithTokenDto,
} from './dto/scim-connection.dto';
import { RotateTokenService } from './rotate-token.service';

@Controller('api/scim-connections')
@ApiTags('SCIM')
export class ConnectionsController {
  constructor(
    private readonly connections: ConnectionsReader,
    private readonly creation: CreateConnectionService,
    private readonly change: ChangeConnectionService,
    private readonly deletion: DeleteConnectionService,
    private readonly rotation: RotateTokenService,
  ) {}

  @Post()
  @CreateEndpoint(CREATE_CONNECTION, ScimConnectionWithTokenDto)
  createScimConnection(
    @ValidatedObject() body: CreateConnectionDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<ScimConnectionWithTokenDto> {
    return this.creation.execute(body, context);
  }

  @Get()
  @ListEndpoint(LIST_CONNECTIONS, ScimConnectionPageDto)
  listScimConnections(@ValidatedQuery() query: ListConnectionsDto): Promise<ScimConnectionPageDto> {
    return this.connections.page(query);
  }

  @Get(':id')
  @ReadEndpoint(GET_CONNECTION, ScimConnectionDto, 'connection')
  getScimConnection(@Param('id') id: string): Promise<ScimConnectionDto> {
    return this.connections.get(id);
  }

  @Patch(':id')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @AnswersRecord()
  @ApiOkResponse({ description: 'The connection as it is now.', type: ScimConnectionDto })
  @AdministratorEndpoint(CHANGE_CONNECTION)
  changeScimConnection(
    @Param('id') id: string,
    @ValidatedObject() body: ChangeConnectionDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<ScimConnectionDto> {
    return this.change.execute(id, body, context);
  }

  @Delete(':id')
  @DeleteEndpoint(DELETE_CONNECTION)
  deleteScimConnection(@Param('id') id: string, @CurrentChange() context: ChangeContext): Promise<void> {
    return this.deletion.execute(id, context);
  }

  @Post(':id/token')
  @ApiOkResponse({ description: 'The new token.', type: ConnectionTokenDto })
  @AdministratorEndpoint(ROTATE_TOKEN)
  rotateScimToken(
    @Param('id') id: string,
    @ValidatedBody() body: RotateTokenDto,
    @CurrentChange() context: ChangeContext,
  ): Promise<ConnectionTokenDto> {
    return this.rotation.execute(id, body, context);
  }
}
