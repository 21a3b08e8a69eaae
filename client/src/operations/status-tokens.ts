import type { PostOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { MintStatusTokenData, MintStatusTokenResponses } from '../generated/types.gen.ts';

export class StatusTokens {
  constructor(private readonly service: Service) {}

  /** Makes a token that lets whoever holds it change the status of one user, once. */
  create(body: MintStatusTokenData['body'], options?: PostOptions): Promise<MintStatusTokenResponses[200]> {
    return this.service.ask({ method: 'POST', path: '/api/users/status-tokens', body }, options);
  }
}
