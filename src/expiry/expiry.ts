import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ConnectionPools } from '../database/connection-pools';
import { DatabaseStartup } from '../database/database-startup';
import { RepeatedWork } from '../database/repeated-work';
import { ReservedStatements } from '../database/statements';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recordable';
import { UserTypeService } from '../users/user-type/user-type.service';

/** How often to look for ends that have passed. They are carried out within five seconds. */
const POLL_MS = 1_000;
/** The most ends in one transaction. */
const PART = 1_000;

/** The actor of everything that an end does. `undo_request.sql` and `untouched_changes.sql` know it by this name. */
const ATTRIBUTION = { actor: { kind: 'system', id: 'user-admin expiry' } } as const;

interface Given {
  most: number;
  /** The number of due ends to leave out, the first ones. */
  skipped: number;
  /** Ends that were refused before, instead of new ones. */
  isRetry: boolean;
  /** Leaves out active administrators. */
  sparesAdministrators: boolean;
  /** The query of the rule of types. */
  rule: string | null;
}

interface CarriedOut {
  outcome: 'done' | 'refused' | 'elsewhere';
  /** The number of due ends. */
  looked_at: number;
  /** Those of records that somebody else has locked. They are left to the next look. */
  busy: number;
  unassigned: number;
  restated: number;
  retyped: number;
  /** Whose end was refused, if it was the only one. */
  refused_user: string | null;
}

const carryOutEnds = recordingFunction<Given, CarriedOut>(
  'carry_out_ends',
  { most: 'most', skipped: 'skipped', isRetry: 'is_retry', sparesAdministrators: 'spares', rule: 'rule' },
  'outcome, looked_at, busy, unassigned, restated, retyped, refused_user',
);

/**
 * Carries out the ends of memberships and accounts, for as long as the process runs. Any number of processes can do so
 * side by side.
 */
@Injectable()
export class Expiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(Expiry.name);
  private readonly transactions: Transactions;
  private readonly repeated: RepeatedWork;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    @InjectDataSource() dataSource: DataSource,
    // An end does not wait for units of work that hold every connection of the pool.
    statements: ReservedStatements,
    pools: ConnectionPools,
    startup: DatabaseStartup,
    private readonly userTypes: UserTypeService,
    private readonly counts: ChangeCounts,
  ) {
    this.transactions = new Transactions(dataSource, statements, pools);
    this.repeated = new RepeatedWork(startup, { name: Expiry.name, work: () => this.carryOut(), pollMs: POLL_MS });
  }

  onApplicationBootstrap(): void {
    this.repeated.begin();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.repeated.end();
  }

  /** Carries out everything that is due, but for busy users, after the round of this process that is under way. */
  carryOut(): Promise<void> {
    const round = this.last.then(() => this.round());
    this.last = round.catch(() => undefined);
    return round;
  }

  private async round(): Promise<void> {
    const outcome = await this.all({ most: PART });
    if (outcome === 'refused') {
      // One of them would leave no active administrator: the others go first, then each administrator alone.
      await this.all({ most: PART, sparesAdministrators: true });
      await this.all({ most: 1 });
    }
    if (outcome !== 'elsewhere') await this.all({ most: 1, isRetry: true });
  }

  /** Repeats as long as there is more. Busy users hold back no other. */
  private async all(given: Partial<Given> & Pick<Given, 'most'>): Promise<CarriedOut['outcome']> {
    for (let skipped = 0; ;) {
      const done = await this.once({ ...given, skipped });
      const isRefused = done.outcome === 'refused' && given.most > 1;
      if (done.outcome === 'elsewhere' || done.looked_at < given.most || isRefused) return done.outcome;
      skipped += done.busy;
    }
  }

  private async once(given: Partial<Given> & Pick<Given, 'most'>): Promise<CarriedOut> {
    const all = { skipped: 0, isRetry: false, sparesAdministrators: false, rule: this.userTypes.rule.query, ...given };
    const done = await this.transactions.call((sender) => carryOutEnds(sender, ATTRIBUTION, all));
    this.counts.add({ unassignments: done.unassigned, statuses: done.restated, types: done.retyped });
    if (done.refused_user !== null)
      this.logger.error(
        `The access of ${JSON.stringify(done.refused_user)} should have ended, but no active administrator would be ` +
          'left. Make somebody else an administrator. It is tried again each minute.',
      );
    return done;
  }
}
