import type { ServerResponse } from 'node:http';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { HTTP_OPTIONS, type HttpOptions } from './options';
import { HttpRefusal } from './refusal';
import { networkOf } from './address-network';
import { pathOf } from './request-path';

/**
 * The keys that are kept, which take about 20 MB. An attacker can have any number of IPv6 networks, and a window can
 * last a day.
 */
export const MAX_KEYS = 250_000;

/**
 * Counts by key in consecutive windows of time. All counts are reset at the end of a window, and before there would be
 * too many keys. Then each caller gets its whole share again; no caller is refused because of the addresses of others.
 */
export class WindowCounter {
  private window = -1;
  private counts = new Map<string, number>();

  constructor(private readonly windowMs: number) {}

  /** The number of keys. */
  get size(): number {
    return this.counts.size;
  }

  add(key: string): { count: number; secondsLeft: number } {
    const now = Date.now();
    const window = Math.floor(now / this.windowMs);
    if (window !== this.window || (this.counts.size === MAX_KEYS && !this.counts.has(key))) {
      this.window = window;
      this.counts = new Map();
    }
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return { count, secondsLeft: Math.ceil(((window + 1) * this.windowMs - now) / 1000) };
  }
}

/** The shares that have a limit: the requests of one address, and the requests of one caller. */
type Share = 'address' | 'caller';

/**
 * Counts requests, refuses those beyond a limit, and adds the remaining quota to each response. A limit of 0 means no
 * limit. `config/read-config.ts` has the defaults.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limits: Readonly<Record<Share, number>>;
  private readonly counters: Readonly<Record<Share, WindowCounter>>;

  constructor(@Inject(HTTP_OPTIONS) private readonly options: HttpOptions) {
    const { perAddress, perCaller, windowSeconds } = options.fairUse;
    const counter = () => new WindowCounter(windowSeconds * 1000);
    this.limits = { address: perAddress, caller: perCaller };
    this.counters = { address: counter(), caller: counter() };
  }

  /**
   * Counts each request for its address, before its route and caller are known.
   *
   * @param exempt paths that are not counted
   */
  ofAddress(exempt: RegExp): RequestHandler {
    return (request, response, next) => {
      if (!exempt.test(pathOf(request))) this.use('address', networkOf(request.ip), response);
      next();
    };
  }

  /**
   * Counts a request for its caller, whatever address it comes from. It runs after the guard that identifies the
   * caller.
   */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { user } = http.getRequest<Request & { user?: { kind: string; id: string } }>();
    if (user) this.use('caller', `${user.kind} ${user.id}`, http.getResponse<Response>());
    return true;
  }

  /** @throws HttpRefusal `request.too_frequent` */
  private use(share: Share, holder: string, response: ServerResponse): void {
    const limit = this.limits[share];
    if (limit === 0) return;
    const { count, secondsLeft } = this.counters[share].add(holder);
    // draft-ietf-httpapi-ratelimit-headers-10: lists, with an item for each share.
    response.appendHeader('RateLimit-Policy', `"${share}";q=${limit};w=${this.options.fairUse.windowSeconds}`);
    response.appendHeader('RateLimit', `"${share}";r=${Math.max(0, limit - count)};t=${secondsLeft}`);
    if (count <= limit) return;
    const args = { seconds: secondsLeft };
    throw new HttpRefusal('request.too_frequent', { args }, { cause: `too many requests of the ${share} ${holder}` });
  }

  /** Counts input that could not be parsed as a request, and so has no header with the address behind a proxy. */
  countUnreadable(remoteAddress: string | undefined): void {
    const isLimited = this.limits.address > 0 && this.options.fairUse.trustedProxies === 0;
    if (isLimited) this.counters.address.add(networkOf(remoteAddress));
  }
}
