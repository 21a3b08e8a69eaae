import { Injectable } from '@nestjs/common';
import type { ErrorCode } from '../contract/errors';

@Injectable()
export class RefusalCounts {
  private readonly counts = new Map<ErrorCode, number>();

  add(code: ErrorCode): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
  }

  get byCode(): ReadonlyMap<ErrorCode, number> {
    return this.counts;
  }
}
