import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { lastValueFrom, type Observable, of } from 'rxjs';

/** What is done around every handler, behind the guards: an interceptor of Nest, but of promises. */
export interface HandlerStep {
  /** @param next the steps that come after this one, and the handler itself */
  around(context: ExecutionContext, next: () => Promise<unknown>): Promise<unknown>;
}

/** The steps in their order: the first is outermost. */
export const HANDLER_STEPS = Symbol('HANDLER_STEPS');

/**
 * The one interceptor of the service, which takes all steps. Nest wraps each interceptor into half a dozen observables, whose making
 * and taking apart costs more than what a step does.
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
