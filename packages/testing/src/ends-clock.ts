import type { DataSource } from 'typeorm';

/** Ends lie ten years ahead at most. The database's times end long after this. */
const MOST_SECONDS_AHEAD = 100 * 366 * 86_400;

/** The clock by which the service judges ends of memberships and accounts, ahead of that of the database. */
export class EndsClock {
  private secondsAhead = 0;

  constructor(private readonly dataSource: DataSource) {}

  /** @throws RangeError for anything but a number of seconds from 0 on */
  async advance(seconds: number): Promise<void> {
    if (!Number.isFinite(seconds) || seconds < 0) throw new RangeError('Give `advance` a number of seconds from 0 on.');
    const secondsAhead = this.secondsAhead + seconds;
    if (secondsAhead > MOST_SECONDS_AHEAD)
      throw new RangeError('`advance` moves the clock 100 years ahead at most. `reset` sets it back.');
    await this.set(secondsAhead);
  }

  async now(): Promise<string> {
    const [{ now }] = await this.dataSource.query<[{ now: string }]>('SELECT iso_time(ends_clock()) AS now');
    return now;
  }

  async set(secondsAhead: number): Promise<void> {
    if (secondsAhead === this.secondsAhead) return;
    await this.dataSource.query(
      `CREATE OR REPLACE FUNCTION ends_clock() RETURNS timestamptz LANGUAGE sql STABLE AS
       $$ SELECT now() + make_interval(secs => ${Number(secondsAhead)}) $$`,
    );
    this.secondsAhead = secondsAhead;
  }
}
