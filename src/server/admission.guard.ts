import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '../config/config';
import { ServiceError } from '../contract/errors';
import { EXEMPT_FROM_LIMITS } from './exempt-from-limits.decorator';
import { RequestsUnderWay } from './requests-under-way';

/**
 * Lets in as many requests as the pool and its queue hold, and refuses any more at once, before they cost anything: refused
 * only when they come to the database for the second time, they would have used up what others wait for.
 */
@Injectable()
export class AdmissionGuard implements CanActivate {
  private readonly places: number;

  constructor(
    private readonly reflector: Reflector,
    private readonly requests: RequestsUnderWay,
    @Inject(CONFIG) { databasePoolSize, databaseBounds }: Config,
  ) {
    this.places = databasePoolSize + databaseBounds.queue;
  }

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride<boolean>(EXEMPT_FROM_LIMITS, [context.getHandler(), context.getClass()]))
      return true;
    this.admit(context.switchToHttp().getResponse<Response>());
    return true;
  }

  /** While a request waits for its caller to send the rest of it, it takes no place: nobody keeps others out by being slow. */
  async outside(request: Request, response: Response, wait: () => Promise<void>): Promise<void> {
    if (request.complete) return wait();
    this.requests.leave(response);
    await wait();
    this.admit(response);
  }

  private admit(response: Response): void {
    if (this.requests.admit(response, this.places)) return;
    throw new ServiceError('service.unavailable', {}, { cause: 'too many requests are under way' });
  }
}
