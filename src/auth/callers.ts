import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Actor } from '../contract/journal';
import { type AccessClaims, TokenRefusedError } from './access-token.rules';
import type { Caller } from './caller';
import { requireService } from './service-caller.rules';
import { UserRecords } from './user-records';

/** Identifies the bearer of a token with the current directory. Nothing is cached between requests. */
@Injectable()
export class Callers {
  constructor(
    private readonly users: UserRecords,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A user is whom the record says: no claim makes a user an administrator, and an inactive user is refused. The token
   * of a service whose subject has a record identifies that user. `standing_of` judges changes by the same rules.
   *
   * @throws TokenRefusedError for an inactive or unknown user, with the reason
   */
  async identify(claims: AccessClaims): Promise<Caller> {
    const { userId, subject } = claims;
    const user = await this.findUser(userId);
    if (user) return user;
    requireService(claims, this.config.accessTokens);
    const own = subject === userId ? undefined : await this.findUser(subject);
    return own ?? { kind: 'service', id: subject, administrator: true };
  }

  /**
   * Judges an administrator again who has waited for an answer.
   *
   * @throws ServiceError `auth.token_invalid`, `auth.administrator_required`
   */
  async judgeAgain({ kind, id }: Actor): Promise<void> {
    const user = isIdentifier(id) ? await this.users.find(id) : undefined;
    if (user ? user.status !== 'active' : kind === 'user') throw new ServiceError('auth.token_invalid');
    if (user && user.type !== 'administrator') throw new ServiceError('auth.administrator_required');
  }

  private async findUser(id: string | undefined): Promise<Caller | undefined> {
    const user = isIdentifier(id) ? await this.users.find(id) : undefined;
    if (!user) return undefined;
    if (user.status !== 'active') throw new TokenRefusedError(`the user ${user.id} is inactive`);
    return { kind: 'user', id: user.id, administrator: user.type === 'administrator', key: user.key };
  }
}
