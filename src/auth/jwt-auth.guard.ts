import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type ErrorCode, ServiceError } from '../contract/errors';
import { TokenRefusedError } from './access-token.rules';
import { asRefusal } from './access-tokens';
import { bearerToken } from './bearer-token';
import type { AuthenticatedRequest, Caller } from './caller';
import { JwtStrategy } from './jwt.strategy';
import { PUBLIC } from './public.decorator';
import { REFUSAL } from './refuses-with.decorator';

/** Stands before every route of the service: lets in who bears a valid token, and anyone where a route is public. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly strategy: JwtStrategy,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
    try {
      request.user = await this.authenticate(request);
    } catch (error) {
      if (!(error instanceof TokenRefusedError)) throw error;
      const code = this.reflector.get<ErrorCode | undefined>(REFUSAL, context.getHandler());
      throw new ServiceError(code ?? 'auth.token_invalid', {}, { cause: error });
    }
    return true;
  }

  /**
   * What `passport.authenticate` does with a strategy, without its registry and without what it gives each request for
   * sessions. A strategy calls `fail` for a token or key that fails, and `error` for whatever the looking up of the caller throws.
   */
  private authenticate(request: Request): Promise<Caller> {
    if (bearerToken(request) === null) return Promise.reject(new TokenRefusedError('there is no bearer token'));
    return new Promise((resolve, reject) => {
      const attempt = Object.create(this.strategy) as JwtStrategy;
      attempt.success = (caller) => resolve(caller as Caller);
      attempt.fail = (reason: unknown) => reject(reason instanceof ServiceError ? reason : asRefusal(reason));
      attempt.error = reject;
      attempt.authenticate(request);
    });
  }
}
