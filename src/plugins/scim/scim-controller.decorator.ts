import { applyDecorators, Controller, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../door';
import { TakesTypes } from '../../server/input.interceptor';
import { ScimAnswerInterceptor } from './scim-answer.interceptor';
import { SCIM_PATH } from './scim-request';
import { ScimGuard } from './scim.guard';

/** The media types of a body: SCIM's own or, from many providers, plain JSON. */
const BODY_TYPES = /^application\/(?:scim\+)?json[ \t]*(?:;|$)/i;

/**
 * A controller of SCIM. It accepts the tokens of connections, and no access tokens. SCIM describes itself, so its
 * routes are not in the OpenAPI document.
 *
 * @example @ScimController('Users')
 */
export function ScimController(path: string): ClassDecorator {
  return applyDecorators(
    Controller(`${SCIM_PATH}/${path}`),
    ApiExcludeController(),
    Public(),
    TakesTypes(BODY_TYPES),
    UseGuards(ScimGuard),
    UseInterceptors(ScimAnswerInterceptor),
  );
}
