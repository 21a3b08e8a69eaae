import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { collationWarning } from './collation-version';
import { ConnectionPools } from './connection-pools';
import { connect } from './first-connection';
import type { Migrated } from './migrate';
import { MigrationDelayedError } from './migration-errors';
import { DATABASE, type OpenedDatabase } from './opened-database';
import { OutageNotice } from './outage-notice';
import { describeOutage, isDatabaseUnavailable } from './sql-errors';

const RETRY_MS = 500;

/** Connects and migrates in the background, retries until it succeeds, and closes everything on shutdown. */
@Injectable()
export abstract class DatabaseStart implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('DatabaseStartup');
  private readonly outage = new OutageNotice(this.logger);
  private readonly stopping = new AbortController();
  private connecting: Promise<void> | undefined;
  private migrated = false;
  private readonly checks: (() => Promise<void>)[] = [];
  private failOnce!: () => void;
  private readonly failedOnce = new Promise<void>((resolve) => (this.failOnce = resolve));

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(DATABASE) private readonly database: OpenedDatabase,
    private readonly pools: ConnectionPools,
  ) {}

  onApplicationBootstrap(): void {
    this.connecting = this.connect();
    this.connecting.catch(() => undefined);
  }

  /**
   * Does this each time after the migrations, before the first request is served. A failure that is not the database's
   * ends the start.
   */
  beforeServing(check: () => Promise<void>): void {
    this.checks.push(check);
  }

  /** Resolves once the schema is in place; rejects if that is impossible (a failed migration, a refused password). */
  async ready(): Promise<void> {
    await this.connecting;
  }

  /** Resolves once the schema is in place or an attempt has failed. It rejects as {@link ready} does. */
  attempted(): Promise<void> {
    return Promise.race([this.ready(), this.failedOnce]);
  }

  /**
   * Why requests cannot be served: the database cannot serve, or the schema is not in place yet. Undefined if they can.
   */
  get notReadyReason(): string | undefined {
    const trouble = this.database.embedded ? undefined : this.pools.heartbeat.trouble;
    if (trouble) return trouble.message;
    return this.migrated ? undefined : 'migrating';
  }

  /** The hosts and ports of the database, for the log. */
  get serverNames(): string {
    return this.pools.connection.servers.names;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.outage.stop();
    this.pools.heartbeat.stop();
    await this.connecting?.catch(() => undefined);
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
    await this.database.close();
  }

  /** Brings the database to the release of the program. */
  protected abstract migrate(dataSource: DataSource): Promise<Migrated>;

  private async connect(): Promise<void> {
    // If the URL names several servers, the heartbeat finds the one that accepts writes.
    if (!this.database.embedded) await this.pools.heartbeat.start();
    while (!this.stopping.signal.aborted) {
      try {
        if (!this.dataSource.isInitialized) await connect(this.dataSource);
        const { denied, newerRelease } = await this.migrate(this.dataSource);
        if (denied.length > 0) this.logger.warn(functionsOfEarlierRelease(denied));
        if (newerRelease) this.logger.warn(FUNCTIONS_OF_LATER_RELEASE);
        const collation = await collationWarning(this.dataSource);
        if (collation) this.logger.warn(collation);
        for (const check of this.checks) await check();
        this.migrated = true;
        this.outage.succeeded();
        this.pools.heartbeat.notice = this.outage;
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        this.outage.failed(
          error instanceof MigrationDelayedError ? error.message : describeOutage(error, this.serverNames),
        );
        this.failOnce();
        await delay(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }
}

function functionsOfEarlierRelease(names: string[]): string {
  return (
    `The database has SQL functions of an earlier release (${names.join(', ')}), and this user may not replace them. ` +
    'Let the owner run `user-admin migrate` of this release.'
  );
}

const FUNCTIONS_OF_LATER_RELEASE =
  'The database has the SQL functions of a later release. This process runs with them.';
