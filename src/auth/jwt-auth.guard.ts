import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Request } from 'express';
import { ServiceError } from '../contract/errors';
import { TokenRefusedError } from './access-token.rules';
import { asRefusal } from './access-tokens';
import { bearerToken, whyNoBearerToken } from '../server/bearer-token';
import { RefusesWith } from './one-refusal-endpoint.decorator';
import { Public } from './public.decorator';

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

  override canActivate(context: ExecutionContext): ReturnType<CanActivate['canActivate']> {
    const isPublic = this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()]);
    return isPublic ? true : super.canActivate(context);
  }

  /**
   * What passport sees of a request: the header with the token. V8 allocates the functions that passport assigns to
   * properties in the old generation, so a whole request would stay in memory until the next full garbage collection.
   */
  override getRequest(context: ExecutionContext): Pick<Request, 'headersDistinct'> {
    const { authorization } = context.switchToHttp().getRequest<Request>().headersDistinct;
    return { headersDistinct: { authorization } };
  }

  /**
   * Called with the result of the strategy: `error` is the error of the lookup of the caller, `reason` why the token or
   * its key was rejected.
   */
  override handleRequest<Caller>(
    error: Error | null | undefined,
    caller: Caller | false,
    reason: unknown,
    context: ExecutionContext,
  ): Caller {
    if (caller) {
      // Passport puts the caller only where `getRequest` let it.
      context.switchToHttp().getRequest<{ user: Caller }>().user = caller;
      return caller;
    }
    const cause = error ?? (reason instanceof ServiceError ? reason : this.refusalOf(context, reason));
    if (!(cause instanceof TokenRefusedError)) throw cause;
    const code = this.reflector.get(RefusesWith, context.getHandler()) ?? 'auth.token_invalid';
    throw new ServiceError(code, {}, { cause });
  }

  private refusalOf(context: ExecutionContext, reason: unknown): TokenRefusedError {
    const request = context.switchToHttp().getRequest<Request>();
    return bearerToken(request) === null ? new TokenRefusedError(whyNoBearerToken(request)) : asRefusal(reason);
  }
}
