import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import type { UserType } from '../contract/directory';
import { ServiceError } from '../contract/errors';
import { toUserBody } from '../records/record-bodies';
import { User } from '../directory/user.entity';
import type { CallerDto } from './dto/caller.dto';

/** Returns the identity of the caller. */
@Injectable()
export class ReadCallerService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async execute({ kind, id, administrator, mayRead }: Caller): Promise<CallerDto> {
    if (kind === 'service') return { kind, id, administrator, ...(mayRead && { mayRead: true }) };
    const user = await this.dataSource.manager.findOneBy(User, { id, status: 'active' });
    // The user was deleted or deactivated after the guard had accepted the token.
    if (!user || user.hasEnded) throw new ServiceError('auth.token_invalid');
    const [row] = await this.dataSource.manager.query<[{ type: UserType }]>('SELECT current_type($1, $2) AS type', [
      user.key,
      user.type,
    ]);
    user.type = row.type;
    const isAdministrator = user.type === 'administrator';
    return {
      kind: 'user',
      id,
      administrator: isAdministrator,
      ...(mayRead && !isAdministrator && { mayRead: true }),
      user: toUserBody(user),
    };
  }
}
