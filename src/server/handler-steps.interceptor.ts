import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { lastValueFrom, type Observable, of } from 'rxjs';

/** A step around every handler, after the guards: an interceptor that uses promises. */
export interface HandlerStep {
  /** @param next the following steps and the handler */
  around(context: ExecutionContext, next: () => Promise<unknown>): Promise<unknown>;
}

/** The steps in order, outermost first. */
export const HANDLER_STEPS = Symbol('HANDLER_STEPS');

/**
 * The only interceptor of the service. It runs all steps. Nest wraps each interceptor in half a dozen observables,
 * which cost more than the steps themselves.
 */
@Injectable()
export class HandlerStepsInterceptor implements NestInterceptor {
  constructor(@Inject(HANDLER_STEPS) private readonly steps: readonly HandlerStep[]) {}

  async intercept(context: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const take = (index: number): Promise<unknown> => {
      const step = this.steps[index];
      return step ? step.around(context, () => take(index + 1)) : lastValueFrom(handler.handle());
    };
    return of(await take(0));
  }
}
