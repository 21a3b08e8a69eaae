import type { PostOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { MintStatusTokenData, MintStatusTokenResponses } from '../generated/types.gen.ts';

/** Tokens that permit one change of one user's status. */
export class StatusTokens {
  constructor(private readonly service: Service) {}

  /** Creates a token whose holder can change the status of one user, once. Pass it to `users.manageStatus`. */
  create(body: MintStatusTokenData['body'], options?: PostOptions): Promise<MintStatusTokenResponses[200]> {
    return this.service.ask({ method: 'POST', path: '/api/users/status-tokens', body }, options);
  }
}
