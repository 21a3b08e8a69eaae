import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { ENDS_ACTOR } from '../contract/journal';
import { ConnectionPools, RepeatedWork, ReservedStatements } from '@user-administration/postgres';
import { DatabaseStartup } from '../database/database-startup';
import { Transactions } from '../database/transactions';
import { ChangeCounts } from '../directory/change-counts';
import { recordingFunction } from '../journal/recording-function';
import { UserTypeService } from '../users/user-type/user-type.service';

/** How often to look for ends that have passed. They are carried out within five seconds. */
const POLL_MS = 1_000;
/** The most users in one transaction. */
const MOST_USERS = 1_000;
/** The most memberships in one transaction, but for those of one user. */
const MOST_MEMBERSHIPS = 5_000;
/** When a round that takes long looks again for accounts that were busy. */
const AGAIN_MS = 1_000;

const ATTRIBUTION = { actor: ENDS_ACTOR } as const;

/** How far a round has looked: in the order of ends, and of keys of users. */
interface Position {
  end: Date | number;
  user: string;
}

interface Given {
  most: number;
  mostMemberships: number;
  /** The permission that makes readers. */
  readPermission: string;
  accountEnd: Position['end'];
  accountUser: string;
  memberEnd: Position['end'];
  memberUser: string;
  /** The query of the rule of types. */
  rule: string | null;
}

interface CarriedOut {
  outcome: 'done' | 'again' | 'elsewhere';
  unassigned: number;
  restated: number;
  retyped: number;
  /** Whose end was refused. */
  refused_user: string | null;
  next_account_end: Position['end'];
  next_account_user: string;
  next_member_end: Position['end'];
  next_member_user: string;
  more: boolean;
}

const carryOutEnds = recordingFunction<Given, CarriedOut>(
  'carry_out_ends',
  {
    most: 'most',
    mostMemberships: 'most_memberships',
    readPermission: 'read_permission',
    accountEnd: 'account_end',
    accountUser: 'account_user',
    memberEnd: 'member_end',
    memberUser: 'member_user',
    rule: 'rule',
  },
  'outcome, unassigned, restated, retyped, refused_user, next_account_end, next_account_user, next_member_end, ' +
    'next_member_user, more',
);

const FIRST: Position = { end: -Infinity, user: '0' };

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
    @Inject(CONFIG) private readonly config: Config,
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

  /** Looks at each end that has passed. What is busy is left behind, and holds up no other. */
  private async round(): Promise<void> {
    let [accounts, members] = [FIRST, FIRST];
    for (let began = performance.now(); ;) {
      const done = await this.once(accounts, members);
      if (done.outcome === 'elsewhere') return;
      if (done.outcome === 'again') continue;
      if (!done.more) return;
      accounts = { end: done.next_account_end, user: done.next_account_user };
      members = { end: done.next_member_end, user: done.next_member_user };
      if (performance.now() - began < AGAIN_MS) continue;
      accounts = FIRST;
      began = performance.now();
    }
  }

  private async once(accounts: Position, members: Position): Promise<CarriedOut> {
    const given = {
      most: MOST_USERS,
      mostMemberships: MOST_MEMBERSHIPS,
      readPermission: this.config.accessTokens.readPermission,
      accountEnd: accounts.end,
      accountUser: accounts.user,
      memberEnd: members.end,
      memberUser: members.user,
      rule: this.userTypes.rule.query,
    };
    const done = await this.transactions.call((sender) => carryOutEnds(sender, ATTRIBUTION, given));
    this.counts.add({ unassignments: done.unassigned, statuses: done.restated, types: done.retyped });
    if (done.refused_user !== null)
      this.logger.error(
        `The access of ${JSON.stringify(done.refused_user)} should have ended, but no active administrator would be ` +
          'left. Make somebody else an administrator. It is tried again each minute.',
      );
    return done;
  }
}
