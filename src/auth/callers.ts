import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';
import { isIdentifier } from '../contract/identifiers';
import { type AccessClaims, TokenRefusedError } from './access-token.rules';
import type { Caller } from './caller';
import { UserRecords } from './user-records';

/** Finds out who bears a token, by the directory at this moment: nothing is remembered between requests. */
@Injectable()
export class Callers {
  constructor(
    private readonly users: UserRecords,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A record in the directory always wins: a claim never makes an administrator of a user, and an inactive user is
   * refused whatever else the token says. Only a subject without a record can be a service.
   *
   * @throws TokenRefusedError for an inactive or unknown user
   */
  async identify({ sub, scopes }: AccessClaims): Promise<Caller> {
    const user = isIdentifier(sub) ? await this.users.find(sub) : undefined;
    if (user) {
      if (user.status !== 'active') throw new TokenRefusedError(`the user ${sub} is inactive`);
      return { kind: 'user', id: sub, administrator: user.type === 'administrator' };
    }
    if (!scopes.includes(this.config.accessTokens.adminScope)) throw new TokenRefusedError('the user is unknown');
    return { kind: 'service', id: sub, administrator: true };
  }
}
