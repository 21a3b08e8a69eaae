import type { Queryable } from '../database/statements';
import type { FeedPosition } from './feed-cursor';
import { readPresent } from './feed-reader';

/** How far a replica may lag. */
const MAX_LAG_MS = 5_000;
const SAMPLE_MS = 1_000;

interface Sample {
  at: number;
  position: Promise<FeedPosition>;
}

/**
 * What a replica must have received to be read: everything that the database had five seconds ago. A replica whose
 * replication has stopped, or that was promoted, would otherwise be read forever.
 */
export class ReplicaFloor {
  /** Oldest first, none older than the permitted lag. */
  private samples: Sample[] = [];

  constructor(private readonly database: Queryable) {}

  /** The oldest sample that is recent enough. If nothing was read for a while, this is the present. */
  position(): Promise<FeedPosition> {
    const now = performance.now();
    this.samples = this.samples.filter(({ at }) => at > now - MAX_LAG_MS);
    const newest = this.samples.at(-1);
    const added = newest && newest.at > now - SAMPLE_MS ? newest : this.sample(now);
    return (this.samples[0] ?? added).position;
  }

  /** A sample that failed is removed, so that the next read takes another. */
  private sample(at: number): Sample {
    const sample = { at, position: readPresent(this.database) };
    this.samples.push(sample);
    sample.position.catch(() => (this.samples = this.samples.filter((each) => each !== sample)));
    return sample;
  }
}
