import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ServiceError } from '../contract/errors';
import { bearerToken, whyNoBearerToken } from '../server/bearer-token';
import { TokenRefusedError } from './access-token.rules';
import { AccessTokens } from './access-tokens';
import type { AuthenticatedRequest, Caller } from './caller';
import { Callers } from './callers';
import { RefusesWith } from './one-refusal-endpoint.decorator';
import { Public } from './public.decorator';

/** Guards every route of the service. It admits callers with a valid bearer token (RFC 6750 section 2.1), and everyone to public routes. */
@Injectable()
export class JwtAuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokens,
    private readonly callers: Callers,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride(Public, [context.getHandler(), context.getClass()])) return true;
    const request = context.switchToHttp().getRequest<Request & AuthenticatedRequest>();
    try {
      request.user = await this.identify(request);
      return true;
    } catch (cause) {
      if (!(cause instanceof TokenRefusedError)) throw cause;
      const code = this.reflector.get(RefusesWith, context.getHandler()) ?? 'auth.token_invalid';
      throw new ServiceError(code, {}, { cause });
    }
  }

  private async identify(request: Request): Promise<Caller> {
    const token = bearerToken(request);
    if (token === null) throw new TokenRefusedError(whyNoBearerToken(request));
    return this.callers.identify(await this.tokens.verify(token));
  }
}
