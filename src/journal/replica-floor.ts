import type { Queryable } from '../database/statements';

/** How far a replica may lag. */
const MAX_LAG_MS = 5_000;
const SAMPLE_MS = 1_000;

/** The last change of a chain. */
export interface ChainHead {
  chain: number;
  number: string;
  hash: Buffer;
}

interface Sample {
  at: number;
  heads: Promise<ChainHead[]>;
}

/**
 * What a replica must have received to be read: everything that the database had five seconds ago. A replica whose
 * replication has stopped, that was promoted, or that belongs to another directory, would otherwise be read forever.
 */
export class ReplicaFloor {
  /** Oldest first, none older than the permitted lag. */
  private samples: Sample[] = [];

  constructor(private readonly database: Queryable) {}

  /** The oldest sample that is recent enough. If nothing was read for a while, this is the present. */
  heads(): Promise<ChainHead[]> {
    const now = performance.now();
    this.samples = this.samples.filter(({ at }) => at > now - MAX_LAG_MS);
    const newest = this.samples.at(-1);
    const added = newest && newest.at > now - SAMPLE_MS ? newest : this.sample(now);
    return (this.samples[0] ?? added).heads;
  }

  /** A sample that failed is removed, so that the next read takes another. */
  private sample(at: number): Sample {
    const heads = this.database.query<ChainHead[]>('SELECT chain, number, hash FROM journal_heads WHERE number > 0');
    const sample = { at, heads };
    this.samples.push(sample);
    heads.catch(() => (this.samples = this.samples.filter((each) => each !== sample)));
    return sample;
  }
}
