import { applyDecorators } from '@nestjs/common';
import type { ErrorCode } from '../contract/errors';
import { Endpoint, type EndpointNotes } from '../openapi/endpoint.decorator';
import { RefusesWith } from './refuses-with.decorator';

/** A route for any caller that answers every refusal of identity or permission with the same code. */
export function OneRefusalEndpoint(refusal: ErrorCode, notes: EndpointNotes): MethodDecorator {
  const refuses: ErrorCode[] = [refusal, ...(notes.refuses ?? [])];
  return applyDecorators(RefusesWith(refusal), Endpoint({ ...notes, refuses }));
}
