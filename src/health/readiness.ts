import { HttpException, Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { ServiceError } from '../contract/errors';
import { DatabaseStartup } from '../database/database-startup';
import { RequestsUnderWay } from '../server/requests-under-way';

/** The conditions under which this process can receive requests. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: DatabaseStartup,
    private readonly requests: RequestsUnderWay,
  ) {}

  /** What prevents each part of the service from serving; undefined for a part that is ready. */
  get hindrances(): { part: string; is: string | undefined }[] {
    return [
      { part: 'database', is: this.database.hindrance },
      { part: 'process', is: this.requests.draining ? 'draining' : undefined },
    ];
  }

  /** @throws ServiceError `service.unavailable`, with all reasons as its cause, for the log */
  async require(): Promise<void> {
    try {
      await this.health.check(
        this.hindrances.map(
          ({ part, is }) =>
            () =>
              this.indicate(part, is),
        ),
      );
    } catch (error) {
      const reasons = error instanceof HttpException ? JSON.stringify(error.getResponse()) : String(error);
      throw new ServiceError('service.unavailable', {}, { cause: new Error(`not ready: ${reasons}`) });
    }
  }

  private indicate(part: string, hindrance: string | undefined) {
    const indicator = this.indicators.check(part);
    return hindrance === undefined ? indicator.up() : indicator.down(hindrance);
  }
}
