import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { isIdentifier } from '../contract/identifiers';
import type { UserStatus, UserType } from '../contract/directory';
import { prepared } from '../database/prepared-statements';
import { type AccessClaims, TokenRefusedError } from './access-token.rules';
import type { Caller } from './caller';

const FIND_USER = prepared('find_user', 'SELECT type, status FROM users WHERE id = $1');

/** Finds out who bears a token, by the directory at this moment: nothing is remembered between requests. */
@Injectable()
export class Callers {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * A record in the directory always wins: a claim never makes an administrator of a user, and an inactive user is
   * refused whatever else the token says. Only a subject without a record can be a service.
   *
   * @throws TokenRefusedError for an inactive or unknown user
   */
  async identify({ sub, scopes }: AccessClaims): Promise<Caller> {
    const user = isIdentifier(sub) ? await findUser(this.dataSource.manager, sub) : undefined;
    if (user) {
      if (user.status !== 'active') throw new TokenRefusedError(`the user ${sub} is inactive`);
      return { kind: 'user', id: sub, administrator: user.type === 'administrator' };
    }
    if (!scopes.includes(this.config.accessTokens.adminScope)) throw new TokenRefusedError('the user is unknown');
    return { kind: 'service', id: sub, administrator: true };
  }
}

async function findUser(
  manager: EntityManager,
  id: string,
): Promise<{ type: UserType; status: UserStatus } | undefined> {
  const rows: { type: UserType; status: UserStatus }[] = await manager.query(FIND_USER, [id]);
  return rows[0];
}
