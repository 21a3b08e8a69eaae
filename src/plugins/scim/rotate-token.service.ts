import { Injectable } from '@nestjs/common';
import { type ChangeContext, Journal, Transactions } from '../door';
import { hashOf, makeToken } from './connection-token';
import type { ConnectionTokenDto, RotateTokenDto } from './dto/scim-connection.dto';
import { lockConnection } from './lock-connection';
import { ScimConnection } from './scim-connection.entity';
import { TOKEN_OVERLAP_SECONDS } from './connection-token';
import { CONNECTION_ACTIONS } from './actions';

/** Gives a connection a new token. The previous token works for some more time, and older ones stop working. */
@Injectable()
export class RotateTokenService {
  constructor(
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @throws ServiceError `scim_connection.unknown`, `record.changed` */
  async execute(id: string, { overlap }: RotateTokenDto, context: ChangeContext): Promise<ConnectionTokenDto> {
    const token = makeToken();
    const seconds = overlap ?? TOKEN_OVERLAP_SECONDS;
    return this.transactions.run(async (manager) => {
      const { judged } = await lockConnection(manager, id, context);
      await manager.update(
        ScimConnection,
        { id },
        {
          tokenHash: hashOf(token),
          previousTokenHash: () => 'token_hash',
          previousTokenExpiresAt: () => `clock_timestamp() + ${seconds} * interval '1 second'`,
        },
      );
      await this.journal.append(manager, judged, [
        CONNECTION_ACTIONS.entry('scim_connection.updated', {
          before: { connection: id },
          after: { connection: id, tokenRotated: true },
        }),
      ]);
      return { token };
    }, context.unit);
  }
}
