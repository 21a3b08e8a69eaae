import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import type { AuthenticatedRequest } from './caller';

/** Admits administrators and readers: services by their scope, users by what they effectively hold at the moment. */
@Injectable()
export class ReadGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!user.administrator && !user.mayRead) throw new ServiceError('auth.administrator_required');
    return true;
  }
}
