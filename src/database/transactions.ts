import { Injectable } from '@nestjs/common';
import { UnitsOfWork } from '@user-administration/postgres';
import type { ServiceError } from '../contract/errors';
import { refusalOf } from './refusals';

/** The units of work of the service. A refusal of the database is the {@link ServiceError} that `refusals.ts` names. */
@Injectable()
export class Transactions extends UnitsOfWork {
  protected override refusalOf(error: unknown): ServiceError | undefined {
    return refusalOf(error);
  }
}
