import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ConnectionPools, RepeatedWork, ReservedStatements } from '@user-administration/postgres';
import { DatabaseStartup } from '../database/database-startup';
import { Transactions } from '../database/transactions';
import { RequestsUnderWay } from '@user-administration/http';
import type { FollowerCursor } from './follower-cursor';
import { type Head, sealOnce } from './seal-journal';

/** How often to look for changes of other processes. */
const POLL_MS = 100;
/** The minimum time between two looks: one batch of several changes is cheaper than several batches of one. */
const REST_MS = 50;
/** The same while a follower waits. A reader seals at once. */
const BREATH_MS = 10;

/**
 * Seals the journal for as long as the process runs: after its own changes at once, and ten times a second for those of
 * others. Any number of processes can do so side by side.
 */
@Injectable()
export class Sealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The newest head that this process knows. */
  head: Head = { position: 0, hash: '', pruned: 0 };
  private readonly logger = new Logger(Sealer.name);
  private readonly transactions: Transactions;
  private readonly repeated: RepeatedWork;
  private readonly news = new EventEmitter().setMaxListeners(0);
  /** Whether this process has seen the whole inbox. */
  private hasSeenAll = false;
  /** The number of followers that wait for the next head. */
  private waiting = 0;
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<Head> | undefined;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    // Sealing does not wait for units of work that hold every connection of the pool.
    statements: ReservedStatements,
    pools: ConnectionPools,
    startup: DatabaseStartup,
    requests: RequestsUnderWay,
  ) {
    this.transactions = new Transactions(dataSource, statements, pools);
    this.repeated = new RepeatedWork(startup, {
      name: Sealer.name,
      work: () => this.seal(),
      pollMs: POLL_MS,
      rest: () => delay(this.waiting > 0 ? BREATH_MS : REST_MS, undefined, { ref: false }),
    });
    requests.observeChanges(() => this.repeated.hint());
  }

  onApplicationBootstrap(): void {
    this.repeated.begin();
  }

  /** Seals what the last requests have left. */
  async beforeApplicationShutdown(): Promise<void> {
    if (await this.repeated.end()) await this.seal().catch(() => undefined);
  }

  /** Calls the listener whenever the journal has become longer. */
  onNews(listener: () => void): void {
    this.news.on('news', listener);
  }

  /** Waits until the journal has another head than that. Undefined if the signal comes first. */
  async headAfter(known: FollowerCursor, over: AbortSignal): Promise<Head | undefined> {
    this.waiting += 1;
    while (known.isOf(this.head.hash) && !over.aborted) {
      await once(this.news, 'news', { signal: over }).catch(() => undefined);
    }
    this.waiting -= 1;
    return over.aborted ? undefined : this.head;
  }

  /**
   * Seals everything that was committed before the call, by any process. Calls share a seal that has not begun.
   *
   * @returns the head of the journal
   */
  seal(): Promise<Head> {
    this.next ??= this.current.then(() => {
      const sealing = this.sealAll();
      this.current = sealing.catch(() => undefined);
      this.next = undefined;
      return sealing;
    });
    return this.next;
  }

  private async sealAll(): Promise<Head> {
    for (;;) {
      const { more, ...head } = await sealOnce(this.transactions, !this.hasSeenAll);
      const isNew = head.hash !== this.head.hash;
      this.head = head;
      if (isNew) {
        // For operators who keep every seal: see docs/watch.md.
        this.logger.debug(`journal-seal-1.${head.position}.${head.hash}`);
        this.news.emit('news');
      }
      if (more) continue;
      this.hasSeenAll = true;
      return head;
    }
  }
}
