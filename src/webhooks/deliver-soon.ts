import { Injectable } from '@nestjs/common';
import { RequestsUnderWay } from '../server/requests-under-way';
import { DeliveryWorker } from './delivery-worker';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** After each request that has committed a change, a delivery may be due. */
@Injectable()
export class DeliverSoon {
  constructor(requests: RequestsUnderWay, worker: DeliveryWorker) {
    requests.observe(({ method = '' }, { statusCode }) => {
      if (!READS.includes(method) && statusCode < 300) worker.hint();
    });
  }
}
