import { applyDecorators, Controller, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator';
import { TakesTypes } from '../server/input.interceptor';
import { ScimAnswerInterceptor } from './scim-answer.interceptor';
import { SCIM_BODIES, SCIM_PATH } from './scim-protocol';
import { ScimGuard } from './scim.guard';

/**
 * A controller of SCIM: closed to access tokens, and open to the tokens of connections. SCIM describes itself, so it is
 * not in the OpenAPI document.
 *
 * @example @ScimController('Users')
 */
export function ScimController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(`${SCIM_PATH}/${path}`),
    ApiExcludeController(),
    Public(),
    TakesTypes(SCIM_BODIES),
    UseGuards(ScimGuard),
    UseInterceptors(ScimAnswerInterceptor),
  );
}
