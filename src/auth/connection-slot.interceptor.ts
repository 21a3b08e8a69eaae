import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { ConnectionSlots, type Slot } from '@user-administration/postgres';
import type { AuthenticatedRequest } from './caller';

type RequestWithSlot = Request & Partial<AuthenticatedRequest> & { slot?: Slot };

/**
 * Holds a connection slot while a handler runs for a caller. Public routes and the lookup of callers need no slot.
 */
@Injectable()
export class ConnectionSlotInterceptor implements NestInterceptor {
  constructor(private readonly slots: ConnectionSlots) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<RequestWithSlot>();
    const { user } = request;
    if (!user) return next.handle();
    const slot = await this.slots.acquire(`${user.kind} ${user.id}`);
    request.slot = slot;
    return next.handle().pipe(finalize(() => slot.release()));
  }
}

/**
 * Passes the slot of the request to a handler that releases it early, because it waits for something other than the
 * database.
 */
export const CurrentSlot = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestWithSlot>().slot,
);
