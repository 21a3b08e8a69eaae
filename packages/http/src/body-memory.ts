import { Inject, Injectable } from '@nestjs/common';
import { HTTP_OPTIONS, type HttpOptions } from './options';

/** A body that is being read, or whose request is still in progress. */
export interface HeldBody {
  bytes: number;
  /** Called when its memory is needed for others, only while it is still arriving. */
  giveUp(): void;
}

/**
 * The memory for all request bodies of this process. When it is used up, the bodies that have been arriving for the
 * longest time are dropped, so callers that send slowly cannot block others.
 */
@Injectable()
export class BodyMemory {
  private readonly limit: number;
  /** The bodies that are still arriving, the oldest first. */
  private readonly arriving: HeldBody[] = [];
  private held_ = 0;

  constructor(@Inject(HTTP_OPTIONS) { httpBounds }: HttpOptions) {
    this.limit = httpBounds.bodyMemoryBytes;
  }

  get held(): number {
    return this.held_;
  }

  /** Reserves more memory for an arriving body. The body itself may be dropped for it. */
  take(body: HeldBody, bytes: number): void {
    body.bytes += bytes;
    this.held_ += bytes;
    if (!this.arriving.includes(body)) this.arriving.push(body);
    for (let [oldest] = this.arriving; oldest && this.held_ > this.limit; [oldest] = this.arriving) {
      this.release(oldest);
      oldest.giveUp();
    }
  }

  /** Call this when the body is complete. It keeps its memory until {@link release}. */
  keep(body: HeldBody): void {
    const index = this.arriving.indexOf(body);
    if (index >= 0) this.arriving.splice(index, 1);
  }

  /** Call this when the request has ended. A second call has no effect. */
  release(body: HeldBody): void {
    this.keep(body);
    this.held_ -= body.bytes;
    body.bytes = 0;
  }
}
