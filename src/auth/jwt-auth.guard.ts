import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request } from 'express';
import { ServiceError } from '../contract/errors';
import { asRefusal, KeysAwayError, TokenRefusedError } from '@user-administration/access-tokens';
import { bearerToken, whyNoBearerToken } from '@user-administration/http';
import type { AuthenticatedRequest } from './caller';
import { RefusesWith } from './one-refusal-endpoint.decorator';
import { Public } from './public.decorator';

/**
 * What passport gets in the place of the context and the request: the token alone. V8 allocates the functions that
 * passport makes for each request in the old generation, so everything that they reach stays in memory until the next
 * full garbage collection. With the request and the response, that took a sixth of the CPU time of this process.
 */
interface Attempt {
  readonly headersDistinct: Pick<Request['headersDistinct'], 'authorization'>;
  readonly handler: ReturnType<ExecutionContext['getHandler']>;
  /** Passport puts the caller here. */
  user?: AuthenticatedRequest['user'];
}

/**
 * Guards every route of the service. It admits callers with a valid token, and everyone to public routes. The
 * strategy's name comes from {@link AuthModuleOptions}, because each app of a process has its own name.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    options: AuthModuleOptions,
  ) {
    super(options);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const [handler, type] = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(Public, [handler, type])) return true;
    const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
    const { authorization } = request.headersDistinct;
    const attempt: Attempt = { headersDistinct: { authorization }, handler };
    await super.canActivate(attempt as unknown as ExecutionContext);
    request.user = attempt.user as AuthenticatedRequest['user'];
    return true;
  }

  /** What passport sees as the request. `AuthGuard` does nothing with the context but to pass it on. */
  override getRequest(attempt: unknown): Attempt {
    return attempt as Attempt;
  }

  /** Passport redirects nobody here. */
  getResponse(): undefined {
    return undefined;
  }

  /**
   * Called with the result of the strategy: `error` is the error of the lookup of the caller, `reason` why the token or
   * its key was rejected.
   */
  override handleRequest<Caller>(
    error: Error | null | undefined,
    caller: Caller | false,
    reason: unknown,
    given: unknown,
  ): Caller {
    if (caller) return caller;
    const attempt = given as Attempt;
    const cause = error ?? (reason instanceof KeysAwayError ? reason : refusalOf(attempt, reason));
    if (!(cause instanceof TokenRefusedError)) throw cause;
    const code = this.reflector.get(RefusesWith, attempt.handler) ?? 'auth.token_invalid';
    throw new ServiceError(code, {}, { cause });
  }
}

function refusalOf(attempt: Attempt, reason: unknown): TokenRefusedError {
  return bearerToken(attempt) === null ? new TokenRefusedError(whyNoBearerToken(attempt)) : asRefusal(reason);
}
