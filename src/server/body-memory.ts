import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config';

/** A body that is being read, or that has been read for a request which is not over yet. */
export interface HeldBody {
  /** What it holds now. */
  bytes: number;
  /** Called when its bytes are needed for others, which only happens while it is still coming in. */
  giveUp(): void;
}

/**
 * The memory that request bodies may take in this process, all together. Once it is used up, the bodies that have been coming in for
 * the longest time are given up, so callers that send slowly cannot keep others out.
 */
@Injectable()
export class BodyMemory {
  private readonly limit: number;
  private readonly incoming = new Set<HeldBody>();
  private held_ = 0;

  constructor(@Inject(CONFIG) { httpBounds }: Config) {
    this.limit = httpBounds.bodyMemoryBytes;
  }

  /** Bytes that bodies hold now. */
  get held(): number {
    return this.held_;
  }

  /** Takes more memory for a body that is coming in. The body itself may be among those that are given up for it. */
  take(body: HeldBody, bytes: number): void {
    body.bytes += bytes;
    this.held_ += bytes;
    this.incoming.add(body);
    for (const oldest of this.incoming) {
      if (this.held_ <= this.limit) return;
      this.release(oldest);
      oldest.giveUp();
    }
  }

  /** To be called when the whole body is there. It keeps its memory until {@link release}. */
  keep(body: HeldBody): void {
    this.incoming.delete(body);
  }

  /** To be called when the request is over. What was released before is not released again. */
  release(body: HeldBody): void {
    this.incoming.delete(body);
    this.held_ -= body.bytes;
    body.bytes = 0;
  }
}
