import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ExpiredRows } from '@user-administration/postgres';

/**
 * An expired token is refused because it has expired. Its row is kept a little longer, because the clocks of servers
 * differ.
 */
export const KEPT_HOURS = 1;

/**
 * Forgets spent tokens that have expired, because they are refused for that reason alone. A token is spent, once, by
 * `users/sql/change_user_status.sql`.
 */
@Injectable()
export class ExpiredStatusTokens {
  private readonly expired = new ExpiredRows('spent_status_tokens', { keptHours: KEPT_HOURS, batch: 1000 });

  forgetExpired(manager: EntityManager): Promise<void> {
    return this.expired.sweep(manager);
  }
}
