import type { CallOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { LiveResponses, ReadyResponses } from '../generated/types.gen.ts';

/** Asked without a token. */
export class Health {
  constructor(private readonly service: Service) {}

  /** Whether the process runs. */
  live(options?: CallOptions): Promise<LiveResponses[200]> {
    return this.service.ask({ method: 'GET', path: '/health/live', public: true }, options);
  }

  /** Whether it can serve. Throws if not. */
  ready(options?: CallOptions): Promise<ReadyResponses[200]> {
    return this.service.ask({ method: 'GET', path: '/health/ready', public: true }, options);
  }
}
