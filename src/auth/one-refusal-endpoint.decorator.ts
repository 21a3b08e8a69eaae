import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../contract/errors';
import { Endpoint, type EndpointNotes } from '../openapi/endpoint.decorator';

export const REFUSAL = 'auth:refusal';

/**
 * A route for any caller that answers every refusal of identity or permission with the same code, so that a probe learns
 * nothing from differences.
 */
export function OneRefusalEndpoint(refusal: ErrorCode, notes: EndpointNotes): MethodDecorator {
  const refuses: ErrorCode[] = [refusal, ...(notes.refuses ?? [])];
  return applyDecorators(SetMetadata(REFUSAL, refusal), Endpoint({ ...notes, refuses }));
}
