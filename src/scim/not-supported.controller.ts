import { Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { ScimController } from './scim-controller.decorator';

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
