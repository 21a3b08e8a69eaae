import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  mixin,
  ServiceUnavailableException,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import { ActiveUsersFollower, type Admission } from './active-users.follower.ts';
import { followerToken } from './injection-tokens.ts';

/**
 * Refuses users who were deactivated or deleted, although their tokens are still good: 401. When the service is out of reach for
 * longer than `silentAfterMs`, nobody can say who they are: 503, or the service is asked about each, as `whenSilent` says.
 *
 * It comes after the guard that verifies tokens and leaves their claims in `request.user`.
 *
 * @example
 * @UseGuards(AuthGuard('jwt'), ActiveUserGuard)
 * @Controller('invoices')
 * export class InvoicesController {}
 */
@Injectable()
export class ActiveUserGuard implements CanActivate {
  private readonly logger = new Logger(ActiveUserGuard.name);

  constructor(@Inject(ActiveUsersFollower) private readonly follower: ActiveUsersFollower) {
    follower.use();
  }

  /** The guard of the module of this name. */
  static of(name: string): Type<ActiveUserGuard> {
    @Injectable()
    class NamedActiveUserGuard extends ActiveUserGuard {
      constructor(@Inject(followerToken(name) as string) follower: ActiveUsersFollower) {
        super(follower);
      }
    }
    return mixin(NamedActiveUserGuard);
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const id = this.userIdOf(context);
    if (id === null) return true;
    if (id === undefined) throw this.unidentified();
    const admission = this.follower.admission(id);
    return typeof admission === 'string' ? admit(admission) : admission.then(admit);
  }

  /**
   * The id of the user as the directory has it: the claim `sub`. A guard of your own can say otherwise.
   *
   * @returns null for a caller that is no user, such as a service, and is let in; undefined when nobody knows, who is refused
   */
  protected userIdOf(context: ExecutionContext): string | null | undefined {
    const { user } = context.switchToHttp().getRequest<{ user?: { sub?: unknown } }>();
    return typeof user?.sub === 'string' ? user.sub : undefined;
  }

  private unidentified(): UnauthorizedException {
    this.logger.warn(
      'A request has no request.user.sub. Put this guard after the one that signs in, or override userIdOf.',
    );
    return new UnauthorizedException();
  }
}

function admit(admission: Admission): true {
  if (admission === 'active') return true;
  if (admission === 'refused') throw new UnauthorizedException('This user is not active.');
  throw new ServiceUnavailableException('It is not known at the moment who is active. Please try again.');
}
