import { Injectable } from '@nestjs/common';

@Injectable()
export class RefusalCounts {
  private readonly counts = new Map<string, number>();

  add(code: string): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
  }

  get byCode(): ReadonlyMap<string, number> {
    return this.counts;
  }
}
