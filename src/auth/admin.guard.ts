import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import type { AuthenticatedRequest } from './caller';

/** Lets in administrators: services by their scope, users by the type that the directory gives them now. */
@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!user.administrator) throw new ServiceError('auth.administrator_required');
    return true;
  }
}
