import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AnyErrorCode, ErrorCode } from '../contract/errors';
import { Endpoint, type EndpointNotes } from '../openapi/endpoint.decorator';

/** The code that the guard answers with, whatever is wrong with the caller. */
export const RefusesWith = Reflector.createDecorator<ErrorCode>();

/**
 * A route for any caller that answers every refusal of identity or permission with the same code, so that a probe
 * learns nothing from differences.
 */
export function OneRefusalEndpoint(refusal: ErrorCode, notes: EndpointNotes): MethodDecorator {
  const refuses: AnyErrorCode[] = [refusal, ...(notes.refuses ?? [])];
  return applyDecorators(RefusesWith(refusal), Endpoint({ ...notes, refuses }));
}
