import { Injectable } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { DatabaseStartup } from '../database/database-startup';
import { RequestsUnderWay } from '@user-administration/http';

/** The conditions under which this process can receive requests. */
@Injectable()
export class Readiness {
  constructor(
    private readonly database: DatabaseStartup,
    private readonly requests: RequestsUnderWay,
  ) {}

  /** What prevents this process from serving; nothing if it is ready. */
  get notReadyReasons(): string[] {
    const { notReadyReason } = this.database;
    return [
      ...(notReadyReason === undefined ? [] : [`database: ${notReadyReason}`]),
      ...(this.requests.draining ? ['process: draining'] : []),
    ];
  }

  /** @throws ServiceError `service.unavailable`, with all reasons as its cause, for the log */
  require(): void {
    const { notReadyReasons } = this;
    if (notReadyReasons.length === 0) return;
    throw new ServiceError('service.unavailable', {}, { cause: new Error(`not ready: ${notReadyReasons.join(', ')}`) });
  }
}
