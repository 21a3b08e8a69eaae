import type { PostOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { MintStatusTokenData, MintStatusTokenResponses } from '../generated/types.gen.ts';

/** Tokens that permit one change of one user's status. */
export class StatusTokens {
  constructor(private readonly service: Service) {}

  /**
   * Creates a token whose holder can set one status of one user, once. Pass it to `users.manageStatus`. It is valid for `expiresIn`
   * seconds: 900 by default, at most 604,800.
   *
   * @example const { token } = await client.statusTokens.create({ id: 'eve', status: 'active', reason: 'Back from leave' });
   * @throws UserAdministrationError such as `user.invalid`
   */
  create(body: MintStatusTokenData['body'], options?: PostOptions): Promise<MintStatusTokenResponses[200]> {
    return this.service.ask({ method: 'POST', path: '/api/users/status-tokens', body }, options);
  }
}
