import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { ServiceError } from '../contract/errors';
import { EXEMPT_FROM_LIMITS } from './exempt-from-limits.decorator';

/** What is counted: the requests from one address, and those of one caller. */
export type Share = 'address' | 'caller';

/** Lets each share of the service's time be used up to its limit, and tells with every answer what is left of it. */
abstract class FairUseGuard extends ThrottlerGuard {
  protected abstract readonly share: Share;
  /** Whose share it is; undefined for nobody's, which has no limit. */
  protected abstract holderOf(request: Request): Promise<string | undefined>;

  private limit = 0;
  private ttl = 0;

  /** Of the shares that are configured, the other one is another guard's. */
  override async onModuleInit(): Promise<void> {
    await super.onModuleInit();
    const throttler = this.throttlers.find(({ name }) => name === this.share);
    this.limit = Number(throttler?.limit);
    this.ttl = Number(throttler?.ttl);
  }

  /** The library's own asks the route, by a dozen of metadata, for limits that would be its own. No route here has any. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { limit, ttl } = this;
    const places = [context.getHandler(), context.getClass()];
    if (limit === 0 || this.reflector.getAllAndOverride<boolean | undefined>(EXEMPT_FROM_LIMITS, places)) return true;
    const http = context.switchToHttp();
    const holder = await this.holderOf(http.getRequest<Request>());
    if (holder === undefined) return true;
    const { totalHits, timeToExpire } = await this.storageService.increment(holder, ttl, limit, 0, this.share);
    const response = http.getResponse<Response>();
    // draft-ietf-httpapi-ratelimit-headers-10: lists, with an item for each share.
    response.appendHeader('RateLimit-Policy', `"${this.share}";q=${limit};w=${ttl / 1000}`);
    response.appendHeader('RateLimit', `"${this.share}";r=${Math.max(0, limit - totalHits)};t=${timeToExpire}`);
    if (totalHits > limit)
      throw new ServiceError(
        'request.too_frequent',
        { args: { seconds: timeToExpire } },
        { cause: `too many requests of this ${this.share}` },
      );
    return true;
  }
}

/** Before a token is even looked at: whoever has none has an address. */
@Injectable()
export class AddressGuard extends FairUseGuard {
  protected readonly share = 'address';

  protected holderOf(request: Request): Promise<string> {
    return this.getTracker(request);
  }
}

/** IdempotentUnit a token has told who calls, from however many addresses. */
@Injectable()
export class CallerGuard extends FairUseGuard {
  protected readonly share = 'caller';

  protected holderOf({ user }: Request & { user?: { id: string } }): Promise<string | undefined> {
    return Promise.resolve(user?.id);
  }
}
