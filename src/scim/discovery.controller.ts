import { Get, Param } from '@nestjs/common';
import { isSame } from '@user-administration/scim-protocol';
import { ServiceError } from '../contract/errors';
import {
  RESOURCE_TYPES,
  resourceTypeBody,
  schemaBody,
  SCHEMAS,
  serviceProviderConfig,
  wholeList,
} from './discovery-bodies';
import { ScimBase } from './scim-answer.interceptor';
import { ScimController } from './scim-controller.decorator';

/** What SCIM here can do, for providers that ask before they begin (RFC 7644 section 4). */
@ScimController('')
export class DiscoveryController {
  @Get(['', 'ServiceProviderConfig'])
  getConfig(@ScimBase() base: string): object {
    return serviceProviderConfig(base);
  }

  @Get('ResourceTypes')
  listResourceTypes(@ScimBase() base: string): object {
    return wholeList(RESOURCE_TYPES.map((type) => resourceTypeBody(base, type)));
  }

  @Get('ResourceTypes/:id')
  getResourceType(@ScimBase() base: string, @Param('id') id: string): object {
    return resourceTypeBody(base, known(RESOURCE_TYPES.find(({ name }) => isSame(name, id))));
  }

  @Get('Schemas')
  listSchemas(@ScimBase() base: string): object {
    return wholeList(SCHEMAS.map((schema) => schemaBody(base, schema)));
  }

  @Get('Schemas/:id')
  getSchema(@ScimBase() base: string, @Param('id') id: string): object {
    return schemaBody(base, known(SCHEMAS.find((schema) => isSame(schema.id, id))));
  }
}

function known<T>(found: T | undefined): T {
  if (!found) throw new ServiceError('route.unknown');
  return found;
}
