import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator';
import { ScimGuard } from './scim.guard';

/** Where SCIM is served. */
export const SCIM_PATH = '/scim/v2';

/**
 * A controller of SCIM: closed to access tokens, and open to the tokens of connections. SCIM describes itself, so it is not in the OpenAPI document.
 *
 * @example @ScimController('Users')
 */
export function ScimController(path: string): ClassDecorator {
  return applyDecorators(Controller(`${SCIM_PATH}/${path}`), ApiExcludeController(), Public(), UseGuards(ScimGuard));
}
