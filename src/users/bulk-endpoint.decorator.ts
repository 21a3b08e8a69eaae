import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AdministratorEndpoint } from '../auth/guarded-endpoint.decorators';
import type { EndpointNotes } from '../openapi/endpoint.decorator';
import { TakesIdLists } from '../server/input.interceptor';

/**
 * A route for administrators that changes many users, and returns the changes on request. Its body contains lists of
 * ids.
 */
export function BulkEndpoint(notes: EndpointNotes, answer: Type): MethodDecorator {
  return applyDecorators(
    TakesIdLists(),
    ApiOkResponse({ description: 'Done.', type: answer }),
    AdministratorEndpoint({ ...notes, preferences: true, refusalArgs: { 'query.invalid': { name: 'dryRun' } } }),
  );
}
