import { Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  isSame,
  RESOURCE_TYPES,
  resourceTypeBody,
  schemaBody,
  SCHEMAS,
  serviceProviderConfig,
  wholeList,
} from '@user-administration/scim-protocol';
import { ServiceError } from '../door';
import { ScimController } from './scim-controller.decorator';
import { ScimBase } from './scim-request';

/** Describes the supported parts of SCIM (RFC 7644 section 4). */
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

const PATHS = ['Me', 'Bulk', '.search'];

/** The parts of the protocol that a service may leave out (RFC 7644 sections 3.4.3, 3.7 and 3.11). */
@ScimController('')
export class NotSupportedController {
  @Get(PATHS)
  get(): never {
    throw new ServiceError('route.not_supported');
  }

  @Post([...PATHS, 'Users/.search', 'Groups/.search'])
  post(): never {
    throw new ServiceError('route.not_supported');
  }

  @Put(PATHS)
  put(): never {
    throw new ServiceError('route.not_supported');
  }

  @Patch(PATHS)
  patch(): never {
    throw new ServiceError('route.not_supported');
  }

  @Delete(PATHS)
  delete(): never {
    throw new ServiceError('route.not_supported');
  }
}
