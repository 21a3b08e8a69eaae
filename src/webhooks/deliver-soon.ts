import { Injectable } from '@nestjs/common';
import { RequestsUnderWay } from '../server/requests-under-way';
import { DeliveryWorker } from './delivery-worker';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** After any request that has changed something, and so committed, there may be something to deliver. */
@Injectable()
export class DeliverSoon {
  constructor(requests: RequestsUnderWay, worker: DeliveryWorker) {
    requests.observe(({ method = '' }, { statusCode }) => {
      if (!READS.includes(method) && statusCode < 300) worker.hint();
    });
  }
}
