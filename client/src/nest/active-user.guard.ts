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
 * Answers 401 to deactivated and deleted users whose tokens are still valid. If the service has not answered for `silentAfterMs`, it answers
 * 503, or asks the service about each user, depending on `whenSilent`.
 *
 * Put it after the guard that verifies tokens and stores their claims in `request.user`.
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

  /** The guard for a module that was imported with this `name`. */
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
    if (id === undefined) throw this.unidentified(context.getType());
    const admission = this.follower.admission(id);
    return typeof admission === 'string' ? admit(admission) : admission.then(admit);
  }

  /**
   * Returns the id of the user in the directory: the claim `sub` of a request over HTTP. Override it if your tokens are different, and for
   * GraphQL, messages and web sockets, where only your app knows whose request it is.
   *
   * @returns null for a caller that is not a user, such as a service: it is admitted; undefined for an unidentified caller: it is refused
   */
  protected userIdOf(context: ExecutionContext): string | null | undefined {
    // Elsewhere, this would be what the sender of a message has written.
    if (context.getType() !== 'http') return undefined;
    const { user } = context.switchToHttp().getRequest<{ user?: { sub?: unknown } }>();
    return typeof user?.sub === 'string' ? user.sub : undefined;
  }

  private unidentified(type: string): UnauthorizedException {
    this.logger.warn(
      type === 'http'
        ? 'A request has no request.user.sub. Put this guard after the guard that verifies tokens, or override userIdOf.'
        : `Whose request this is, nobody can tell for ${type}. Override userIdOf.`,
    );
    return new UnauthorizedException();
  }
}

function admit(admission: Admission): true {
  if (admission === 'active') return true;
  if (admission === 'refused') throw new UnauthorizedException('This user is not active.');
  throw new ServiceUnavailableException('The status of users is not available at the moment. Please try again.');
}
