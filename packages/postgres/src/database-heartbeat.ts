import type { Socket } from 'node:net';
import { type ConnectionOptions, DatabaseClient } from './database-client';
import { CannotWriteError, DatabaseAwayError } from './database-errors';
import { findServer } from './find-server';
import type { OutageNotice } from './outage-notice';
import { describeOutage, isConnectionOver, isFull, isReadOnly, isRefusedConnection, isShortage } from './sql-errors';

const BEAT_MS = 500;
/**
 * Unanswered beats after which the database counts as silent: three seconds at first, then two for each further
 * attempt.
 */
const PATIENCE = 6;
const PATIENCE_WHEN_SILENT = 4;
/** The pause between a failure for lack of room and the next check for room. */
const SHORTAGE_MS = 1_000;

/** Sorts one megabyte with 64 kB of memory, which writes to the disk of the tables. Nothing of it remains. */
const NEEDS_ROOM = `
  BEGIN;
  SET LOCAL work_mem = 64;
  SELECT count(*) FROM (SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1000) AS n ORDER BY 1) AS sorted;
  ROLLBACK`;

/**
 * Knows whether the database can serve requests. It asks twice a second on a separate connection, which is made like
 * those of requests (same servers, password and checks), and is renewed whenever one of those cannot be made. So a pool
 * whose connections are all in use does not count as an outage.
 *
 * It distinguishes a silent database (frozen, or behind a network that drops packets) from a busy one. A statement may
 * take long, but when nothing arrives on any connection, all waiting statements fail and new ones are refused, until
 * the database answers again. Silence is counted in iterations of the event loop instead of time, so that a process
 * that was too busy to read does not suspect the database.
 */
export class DatabaseHeartbeat {
  /** Receives the beginning and the end of outages, once set. */
  notice: OutageNotice | undefined;
  private readonly clients = new Set<DatabaseClient>();
  private beating: NodeJS.Timeout | undefined;
  /** The connection that is in use, and the candidates for it. */
  private asker: DatabaseClient | undefined;
  private askers: DatabaseClient[] = [];
  private isAsking = false;
  private unanswered = 0;
  private bytesHeard = 0;
  private isSilent = false;
  private outage: Error | undefined = new DatabaseAwayError('the database has not been asked yet');
  private shortage: { error: Error; until: number } | undefined;
  private mustReconnect = false;

  constructor(private readonly connection: ConnectionOptions) {}

  /** Starts asking, and resolves after the first answer or failure. Until then no statement is refused. */
  start(): Promise<void> {
    this.beating = setInterval(() => this.beat(), BEAT_MS).unref();
    return this.ask();
  }

  stop(): void {
    clearInterval(this.beating);
    this.beating = undefined;
    this.hangUp();
  }

  /** Why requests cannot be served; undefined if they can. */
  get trouble(): Error | undefined {
    return this.refusal ?? this.outage ?? this.shortage?.error;
  }

  /** The reason to refuse new work without trying; undefined if trying makes sense. */
  get refusal(): DatabaseAwayError | undefined {
    if (this.isSilent) return new DatabaseAwayError('the database does not answer');
    return this.outage instanceof CannotWriteError ? this.outage : undefined;
  }

  /** Watches a connection until it ends. Call it before the connection is made. */
  watch(client: DatabaseClient): void {
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
  }

  /** Call this when a statement has failed on one of the connections. */
  statementFailed(error: unknown): void {
    if (!this.beating) return;
    if (this.connection.servers.mustWrite && isReadOnly(error))
      this.suspect(new CannotWriteError('a standby or read-only'));
    if (isShortage(error)) this.shortage = { error: error as Error, until: performance.now() + SHORTAGE_MS };
  }

  /** Call this when one of the connections could not be made. */
  connectionFailed(client: DatabaseClient, error: unknown): void {
    this.clients.delete(client);
    if (!this.beating || this.isOnlyFull(error)) return;
    if (error instanceof CannotWriteError) this.suspect(error);
    else this.mustReconnect = true;
  }

  private suspect(error: CannotWriteError): void {
    this.outage = error;
    this.mustReconnect = true;
    this.distrust();
    if (!this.isAsking) void this.ask();
  }

  private beat(): void {
    if (!this.isAsking) {
      this.unanswered = 0;
      void this.ask();
      return;
    }
    this.unanswered = this.hearsAnything() ? 0 : this.unanswered + 1;
    if (this.unanswered < (this.isSilent ? PATIENCE_WHEN_SILENT : PATIENCE)) return;
    this.isSilent = true;
    for (const client of [...this.clients, ...this.askers]) client.hangUp();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      const asker = await this.connected();
      await asker.check();
      await this.lookForRoom(asker);
      this.isSilent = false;
      this.outage = undefined;
    } catch (error) {
      this.failed(error);
    }
    if (this.trouble) this.notice?.failed(describeOutage(this.trouble, this.connection.servers.names));
    else this.notice?.succeeded();
    this.isAsking = false;
  }

  private async connected(): Promise<DatabaseClient> {
    if (this.asker && !this.mustReconnect) return this.asker;
    this.hangUp();
    this.mustReconnect = false;
    const { servers } = this.connection;
    this.askers = servers.urls.map((url) => new DatabaseClient({ ...this.connection, url }));
    const { client, index } = await findServer(this.askers);
    client.on('end', () => this.ended(client));
    this.asker = client;
    if (servers.choose(index)) this.distrust();
    return client;
  }

  private ended(client: DatabaseClient): void {
    if (client !== this.asker) return;
    this.asker = undefined;
    this.outage = new DatabaseAwayError('the connection to the database has ended');
  }

  /** If there is no room, the transaction of the check has failed, so its connection is replaced. */
  private async lookForRoom(asker: DatabaseClient): Promise<void> {
    if (!this.shortage || performance.now() < this.shortage.until) return;
    try {
      await asker.query(NEEDS_ROOM);
      this.shortage = undefined;
    } catch (error) {
      this.mustReconnect = true;
      this.shortage = undefined;
      this.statementFailed(error);
      if (isConnectionOver(error)) throw error;
    }
  }

  private failed(error: unknown): void {
    this.hangUp();
    this.outage = this.isOnlyFull(error) ? undefined : (error as Error);
    if (error instanceof CannotWriteError) this.distrust();
    // A refusal shows that the server is not silent.
    if (isRefusedConnection(error)) this.isSilent = false;
  }

  /** A server that is out of connections still serves the existing ones, if there are any. */
  private isOnlyFull(error: unknown): boolean {
    return isFull(error) && [...this.clients].some(({ session }) => session !== undefined);
  }

  private hangUp(): void {
    const askers = this.askers;
    this.askers = [];
    this.asker = undefined;
    for (const client of askers) client.hangUp();
  }

  private distrust(): void {
    for (const client of this.clients) client.distrust();
  }

  /** Any received byte on any connection is a sign of life, even a part of a long answer. */
  private hearsAnything(): boolean {
    const before = this.bytesHeard;
    this.bytesHeard = [...this.clients].reduce(
      (sum, { connection }) => sum + (connection.stream as Socket).bytesRead,
      0,
    );
    return this.bytesHeard > before;
  }
}
