import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { verify } from 'jsonwebtoken';

/** Lets requests in whose token is genuine. Whether its user is still active is asked by the guard after this one. */
@Injectable()
export class SignInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: { authorization?: string }; user?: unknown }>();
    try {
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      request.user = verify(token, process.env.JWT_SECRET ?? '', { algorithms: ['HS256'] });
      return true;
    } catch {
      throw new UnauthorizedException();
    }
  }
}
