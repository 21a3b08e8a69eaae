import { applyDecorators, UseGuards } from '@nestjs/common';
import type { ErrorCode } from '../contract/errors';
import { AdminGuard } from '../auth/admin.guard';
import { RefusesWith } from '../auth/refuses-with.decorator';
import { Endpoint, type EndpointNotes } from '../http/endpoint.decorator';

/**
 * A route for administrators alone: its guard, and what it answers and says of itself.
 *
 * @example
 * @Post('workspace-assign')
 * @AdministratorEndpoint(ASSIGN_WORKSPACES)
 */
export function AdministratorEndpoint(notes: EndpointNotes): MethodDecorator {
  const refuses: ErrorCode[] = ['auth.token_invalid', 'auth.administrator_required', ...(notes.refuses ?? [])];
  return applyDecorators(UseGuards(AdminGuard), Endpoint({ ...notes, refuses }));
}

/** A route for any caller, where every refusal of identity or permission is the same one. */
export function CallerEndpoint(refusal: ErrorCode, notes: EndpointNotes): MethodDecorator {
  const refuses: ErrorCode[] = [refusal, ...(notes.refuses ?? [])];
  return applyDecorators(RefusesWith(refusal), Endpoint({ ...notes, refuses }));
}
