import { Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { DatabaseStartup } from '../database/database-startup';
import { RequestsUnderWay } from '../server/requests-under-way';

/** The conditions under which this process can receive requests. */
@Injectable()
export class Readiness {
  constructor(
    private readonly database: DatabaseStartup,
    private readonly requests: RequestsUnderWay,
  ) {}

  /** What prevents this process from serving; nothing if it is ready. */
  get hindrances(): string[] {
    const { hindrance } = this.database;
    return [
      ...(hindrance === undefined ? [] : [`database: ${hindrance}`]),
      ...(this.requests.draining ? ['process: draining'] : []),
    ];
  }

  /** @throws ServiceError `service.unavailable`, with all hindrances as its cause, for the log */
  require(): void {
    const { hindrances } = this;
    if (hindrances.length === 0) return;
    throw new ServiceError('service.unavailable', {}, { cause: new Error(`not ready: ${hindrances.join(', ')}`) });
  }
}
