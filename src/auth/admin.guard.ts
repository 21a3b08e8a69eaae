import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import type { AuthenticatedRequest } from './caller';

/** Admits administrators: services by their scope, users by their current type in the directory. */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!user.administrator) throw new ServiceError('auth.administrator_required');
    return true;
  }
}
