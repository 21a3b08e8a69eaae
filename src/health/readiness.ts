import { HttpException, Injectable } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { ServiceError } from '../contract/errors';
import { DatabaseStartup } from '../database/database-startup';
import { RequestsUnderWay } from '../server/requests-under-way';

/** What prevents a part of the service from serving; undefined if it is ready. */
interface Hindrance {
  part: string;
  is: string | undefined;
}

/** The conditions under which this process can receive requests. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: DatabaseStartup,
    private readonly requests: RequestsUnderWay,
  ) {}

  get hindrances(): Hindrance[] {
    return [
      { part: 'database', is: this.database.hindrance },
      { part: 'process', is: this.requests.draining ? 'draining' : undefined },
    ];
  }

  /** @throws ServiceError `service.unavailable`, with all reasons as its cause, for the log */
  async require(): Promise<void> {
    try {
      await this.health.check(this.hindrances.map((hindrance) => () => this.indicate(hindrance)));
    } catch (error) {
      const reasons = error instanceof HttpException ? JSON.stringify(error.getResponse()) : String(error);
      throw new ServiceError('service.unavailable', {}, { cause: new Error(`not ready: ${reasons}`) });
    }
  }

  private indicate({ part, is }: Hindrance) {
    const indicator = this.indicators.check(part);
    return is === undefined ? indicator.up() : indicator.down(is);
  }
}
