import type { Socket } from 'node:net';
import { type ConnectionPurpose, DatabaseClient } from './database-client';
import { CannotWriteError, DatabaseAwayError } from './database-errors';
import type { DatabaseServers } from './database-servers';
import { findServer } from './find-server';
import type { OutageNotice } from './outage-notice';
import type { Session } from './session-check';
import { describeOutage, isConnectionOver, isFull, isReadOnly, isRefusedConnection, isShortage } from './sql-errors';

const BEAT_MS = 500;
/** Beats without a sign of life before the database counts as silent: three seconds, and then two for each new attempt. */
const PATIENCE = 6;
const PATIENCE_WHEN_SILENT = 4;
/** How long after a statement failed for want of room the database is asked whether there is room again. */
const SHORTAGE_MS = 1_000;

const STATE = `
  SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly", pg_is_in_recovery() AS "isStandby"`;

/** Sorts a megabyte in 64 kB of memory, and so writes it to the disk on which tables are. Nothing of it stays. */
const NEEDS_ROOM = `
  BEGIN;
  SET LOCAL work_mem = 64;
  SELECT count(*) FROM (SELECT repeat(md5(n::text), 32) FROM generate_series(1, 1000) AS n ORDER BY 1) AS sorted;
  ROLLBACK`;

/**
 * Knows whether the database can serve requests, by asking it twice a second on a connection of its own, which is made as those of
 * requests are (same servers, same password, same checks), and made anew whenever one of those cannot be made. So a pool whose
 * connections are all in use does not count as a database that is away.
 *
 * It tells apart a database that is silent (frozen, or behind a network that drops what is sent) and one that is busy: a statement may
 * take long, but when nothing comes back on any connection, whoever waits is set free at once, and whoever comes is refused, until
 * it answers again. Patience is counted in turns of the event loop, not in time, so that a process which was too busy to listen blames
 * nobody.
 */
export class DatabaseHeartbeat {
  /** Told of outages that begin and end, once somebody wants to know. */
  notice: OutageNotice | undefined;
  private readonly clients = new Set<DatabaseClient>();
  private readonly purpose: ConnectionPurpose;
  private beating: NodeJS.Timeout | undefined;
  /** The connection that is asked, and those among which it was chosen. */
  private asker: DatabaseClient | undefined;
  private askers: DatabaseClient[] = [];
  private isAsking = false;
  private unanswered = 0;
  private bytesHeard = 0;
  private isSilent = false;
  private outage: Error | undefined = new DatabaseAwayError('the database has not been asked yet');
  private shortage: { error: Error; until: number } | undefined;
  private mustReconnect = false;

  /** @param mustWrite false for a replica */
  constructor(
    private readonly servers: DatabaseServers,
    { connectMs }: { connectMs: number },
    private readonly mustWrite = true,
  ) {
    this.purpose = { mustWrite, connectMs };
  }

  /** Begins to ask, and resolves once it has been told or has failed. Until then nobody is refused. */
  start(): Promise<void> {
    this.beating = setInterval(() => this.beat(), BEAT_MS).unref();
    return this.ask();
  }

  stop(): void {
    clearInterval(this.beating);
    this.beating = undefined;
    this.hangUp();
  }

  /** Why requests cannot be served, if so. */
  get trouble(): Error | undefined {
    return this.refusal ?? this.outage ?? this.shortage?.error;
  }

  /** What whoever asks for a connection is refused with, if it is no use to try. */
  get refusal(): DatabaseAwayError | undefined {
    if (this.isSilent) return new DatabaseAwayError('the database does not answer');
    return this.outage instanceof CannotWriteError ? this.outage : undefined;
  }

  /** Watches a connection, from before it is made. */
  add(client: DatabaseClient): void {
    this.clients.add(client);
  }

  remove(client: DatabaseClient): void {
    this.clients.delete(client);
  }

  /** A statement failed on one of the connections. */
  statementFailed(error: unknown): void {
    if (!this.beating) return;
    if (this.mustWrite && isReadOnly(error)) this.suspect(new CannotWriteError('a standby or read-only'));
    if (isShortage(error)) this.shortage = { error: asError(error), until: performance.now() + SHORTAGE_MS };
  }

  /** One of the connections could not be made. */
  connectionFailed(error: unknown): void {
    if (!this.beating || isFull(error)) return;
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
      const state = await askState(asker);
      if (this.mustWrite && state.isReadOnly) throw new CannotWriteError(state.isStandby ? 'a standby' : 'read-only');
      await this.lookForRoom(asker);
      this.isSilent = false;
      this.outage = undefined;
    } catch (error) {
      this.failed(error);
    }
    if (this.trouble) this.notice?.failed(describeOutage(this.trouble));
    else this.notice?.succeeded();
    this.isAsking = false;
  }

  private async connected(): Promise<DatabaseClient> {
    if (this.asker && !this.mustReconnect) return this.asker;
    this.hangUp();
    this.mustReconnect = false;
    this.askers = this.servers.urls.map((url) => new DatabaseClient(() => this.servers.configOf(url), this.purpose));
    const { client, index } = await findServer(this.askers);
    client.on('end', () => this.ended(client));
    this.asker = client;
    if (this.servers.choose(index)) this.distrust();
    return client;
  }

  private ended(client: DatabaseClient): void {
    if (client !== this.asker) return;
    this.asker = undefined;
    this.outage = new DatabaseAwayError('the connection to the database has ended');
  }

  /** The transaction that asks has failed where there is no room, and with it its connection. */
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
    // A server without room for one more connection answers all the same.
    this.outage = isFull(error) ? undefined : asError(error);
    if (error instanceof CannotWriteError) this.distrust();
    // Who says no is not silent.
    if (isRefusedConnection(error)) this.isSilent = false;
  }

  private hangUp(): void {
    const askers = this.askers;
    this.askers = [];
    this.asker = undefined;
    for (const client of askers) client.hangUp();
  }

  /** Connections that were made before may lead to a server that cannot write. Who works with one may finish. */
  private distrust(): void {
    for (const client of this.clients) {
      client.isTrusted = false;
      if (!client.isBusy) client.hangUp();
    }
  }

  /** Whatever comes in on any connection is a sign of life, be it part of a long answer. */
  private hearsAnything(): boolean {
    const before = this.bytesHeard;
    this.bytesHeard = [...this.clients].reduce(
      (sum, { connection }) => sum + (connection.stream as Socket).bytesRead,
      0,
    );
    return this.bytesHeard > before;
  }
}

async function askState(asker: DatabaseClient): Promise<Pick<Session, 'isReadOnly' | 'isStandby'>> {
  const { rows } = await asker.query<Pick<Session, 'isReadOnly' | 'isStandby'>>(STATE);
  return rows[0] as Session;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
