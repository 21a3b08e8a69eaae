import { applyDecorators, UseGuards } from '@nestjs/common';
import type { AnyErrorCode } from '../contract/errors';
import { Endpoint, type EndpointNotes } from '../openapi/endpoint.decorator';
import { AdminGuard } from './admin.guard';
import { ReadGuard } from './read.guard';

/**
 * A route for administrators: its guard, its answers and its documentation.
 *
 * @example
 * @Post('workspace-assign')
 * @AdministratorEndpoint(ASSIGN_WORKSPACES)
 */
export function AdministratorEndpoint(notes: EndpointNotes): MethodDecorator {
  return guarded(AdminGuard, notes);
}

/** As {@link AdministratorEndpoint}, for a GET that readers may do as well. */
export function ReaderEndpoint(notes: EndpointNotes): MethodDecorator {
  return guarded(ReadGuard, notes);
}

function guarded(guard: typeof AdminGuard | typeof ReadGuard, notes: EndpointNotes): MethodDecorator {
  const refuses: AnyErrorCode[] = ['auth.token_invalid', 'auth.administrator_required', ...(notes.refuses ?? [])];
  return applyDecorators(UseGuards(guard), Endpoint({ ...notes, refuses }));
}
