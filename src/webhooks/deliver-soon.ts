import { Injectable } from '@nestjs/common';
import { RequestsUnderWay } from '../server/requests-under-way';
import { DeliveryWorker } from './delivery-worker';

/** Lets the worker poll after each request that may have committed a change, because a delivery may be due. */
@Injectable()
export class DeliverSoon {
  constructor(requests: RequestsUnderWay, worker: DeliveryWorker) {
    requests.observeChanges(() => worker.hint());
  }
}
