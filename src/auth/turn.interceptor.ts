import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { finalize, type Observable } from 'rxjs';
import { CallerTurns, type Turn } from '../database/caller-turns';
import type { AuthenticatedRequest } from './caller';

type RequestInTurn = Request & Partial<AuthenticatedRequest> & { turn?: Turn };

/**
 * Lets the handlers of callers use the database in turn. Public routes and the lookup of callers do not wait for them.
 */
@Injectable()
export class TurnInterceptor implements NestInterceptor {
  constructor(private readonly turns: CallerTurns) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<RequestInTurn>();
    const { user } = request;
    if (!user) return next.handle();
    const turn = await this.turns.take(`${user.kind} ${user.id}`);
    request.turn = turn;
    return next.handle().pipe(finalize(() => turn.giveBack()));
  }
}

/**
 * Passes the turn of the request to a handler that gives it back early, because it waits for something else than the
 * database.
 */
export const CurrentTurn = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestInTurn>().turn,
);
