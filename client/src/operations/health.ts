import type { CallOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { LiveResponses, ReadyResponses } from '../generated/types.gen.ts';

/** The health of the service. These methods send no token. */
export class Health {
  constructor(private readonly service: Service) {}

  /** Resolves if the process is running. */
  live(options?: CallOptions): Promise<LiveResponses[200]> {
    return this.service.ask({ method: 'GET', path: '/health/live', public: true }, options);
  }

  /** Resolves if the service can answer requests, and throws if it cannot. */
  ready(options?: CallOptions): Promise<ReadyResponses[200]> {
    return this.service.ask({ method: 'GET', path: '/health/ready', public: true }, options);
  }
}
