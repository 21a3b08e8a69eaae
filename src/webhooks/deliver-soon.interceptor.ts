import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { type Observable, tap } from 'rxjs';
import { DeliveryWorker } from './delivery-worker';

const READS = ['GET', 'HEAD', 'OPTIONS'];

/** After any request that may have changed something, and so committed, there may be something to deliver. */
@Injectable()
export class DeliverSoonInterceptor implements NestInterceptor {
  constructor(private readonly worker: DeliveryWorker) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method } = context.switchToHttp().getRequest<Request>();
    return READS.includes(method) ? next.handle() : next.handle().pipe(tap({ complete: () => this.worker.hint() }));
  }
}
