import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { ServiceError } from '../contract/errors';
import { FOR_PLATFORM } from './for-platform.decorator';

/** What is counted: the requests from one address, and those of one caller. */
export type Share = 'address' | 'caller';

/** Lets each share of the service's time be used up to its limit, and tells with every answer what is left of it. */
abstract class FairUseGuard extends ThrottlerGuard {
  protected abstract readonly share: Share;
  /** Whose share it is; undefined for nobody's, which has no limit. */
  protected abstract holderOf(request: Request): Promise<string | undefined>;

  /** Of the shares that are configured, the other one is another guard's. */
  override async onModuleInit(): Promise<void> {
    await super.onModuleInit();
    this.throttlers = this.throttlers.filter(({ name }) => name === this.share);
  }

  protected override shouldSkip(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    return Promise.resolve(this.reflector.getAllAndOverride<boolean | undefined>(FOR_PLATFORM, places) ?? false);
  }

  protected override async handleRequest({ context, limit, ttl }: ThrottlerRequest): Promise<boolean> {
    if (limit === 0) return true;
    const http = context.switchToHttp();
    const holder = await this.holderOf(http.getRequest<Request>());
    if (holder === undefined) return true;
    const { totalHits, timeToExpire } = await this.storageService.increment(holder, ttl, limit, 0, this.share);
    const response = http.getResponse<Response>();
    // draft-ietf-httpapi-ratelimit-headers-10: lists, with an item for each share.
    response.append('RateLimit-Policy', `"${this.share}";q=${limit};w=${ttl / 1000}`);
    response.append('RateLimit', `"${this.share}";r=${Math.max(0, limit - totalHits)};t=${timeToExpire}`);
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

/** Once a token has told who calls, from however many addresses. */
@Injectable()
export class CallerGuard extends FairUseGuard {
  protected readonly share = 'caller';

  protected holderOf({ user }: Request & { user?: { id: string } }): Promise<string | undefined> {
    return Promise.resolve(user?.id);
  }
}
