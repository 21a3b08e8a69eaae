import type { DataSource } from 'typeorm';

/** The clock by which the service judges ends of memberships and accounts, ahead of that of the database. */
export class EndsClock {
  private secondsAhead = 0;

  constructor(private readonly dataSource: DataSource) {}

  async advance(seconds: number): Promise<void> {
    await this.set(this.secondsAhead + seconds);
  }

  async set(secondsAhead: number): Promise<void> {
    if (secondsAhead === this.secondsAhead) return;
    await this.dataSource.query(
      `CREATE OR REPLACE FUNCTION ends_clock() RETURNS timestamptz LANGUAGE sql STABLE AS
       $$ SELECT now() + interval '${Number(secondsAhead)} seconds' $$`,
    );
    this.secondsAhead = secondsAhead;
  }
}
