import type { UserAdministrationClient } from '@user-administration/client';
import type { DirectoryRecord } from '../../../src/contract/directory';
import type { EventFeed } from './event-feed';
import type { PersonFields, PersonRecord } from './person';
import type { PlannedFailure } from './planned-failure';
import type { TokenKind } from './token-kinds';

/** The first records: an array, or the path of an NDJSON file as for `user-admin directory import`. */
export type Directory = readonly DirectoryRecord[] | string;

export interface UserAdministrationOptions {
  /** Default: the demo directory, with the administrators `ada` and `zoe`. An empty list is an empty directory. */
  directory?: Directory;
  /**
   * A PostgreSQL server on which a temporary database is created; its user needs that privilege. Default: PostgreSQL
   * embedded in the service's process, in memory.
   */
  databaseUrl?: string;
  /** Variables of the service, as in its configuration, such as `LOG_LEVEL`. Any other name is refused. */
  env?: Readonly<Record<string, string | undefined>>;
  /**
   * How access tokens are signed. `HS256` (the default): by a secret, which `env` can give as `JWT_SECRET`. `RS256`: by a private key,
   * as identity providers sign theirs; an app verifies them by `issuer` and `jwksUri`.
   */
  tokens?: TokenKind;
}

/** The claims of a token other than its user. */
export interface TokenClaims {
  scope?: string;
  /** Seconds: 300 by default; negative for an expired token. */
  expiresIn?: number;
  [claim: string]: unknown;
}

/** The service, running on a free port of this machine. */
export interface UserAdministration {
  /** Base address, such as `http://127.0.0.1:49152`. */
  url: string;
  /** Address of the controls: what a test in another language asks in place of the methods below. */
  control: string;
  /** With `RS256`: who issues the tokens. `<control>/.well-known/openid-configuration` describes it. */
  issuer?: string;
  /** With `RS256`: the key set of the tokens. */
  jwksUri?: string;
  /** A client with the token of a service, which may do everything. */
  client: UserAdministrationClient;
  /** An access token of this user, who need not be in the directory. It is made by the service's clock, also if a test moves its own. */
  tokenFor(id: string, claims?: TokenClaims): string;
  /** An access token of a service, which is an administrator without a record in the directory. It is valid for a day. */
  serviceToken(): string;
  /**
   * Restores users, workspaces, groups, permissions, webhooks and keys to the start, or loads another directory, which is the start
   * from then on. It also cancels planned failures. The journal tells that the records are gone, and that they were created again.
   *
   * @throws Error that names the invalid line; the directory is then as it was at the start
   */
  reset(directory?: Directory): Promise<void>;
  /**
   * The record of a person, for a directory: with an id, an email and a name that no other of this kit has, and the same ones in each
   * run. It is not in the directory yet.
   *
   * @throws RangeError for a field that no user has
   * @example await users.reset([{ workspace: { id: 'lab', name: 'Lab' } }, users.person({ workspaces: ['lab'] })]);
   */
  person(fields?: PersonFields): PersonRecord;
  /**
   * The directory as it is now, as records that `reset` takes.
   *
   * @example await users.reset([...(await users.records()), users.person({ workspaces: ['atlas'] })]);
   */
  records(): Promise<DirectoryRecord[]>;
  /** What has happened, as the events that a webhook would receive. */
  events: EventFeed;
  /**
   * Delivers every event to an app under test, as webhooks signed with this secret, from now on and also after each `reset`, whose own
   * events are not delivered. A receiver on this machine may use `http`.
   *
   * @throws Error for a URL that no webhook can have, and for a malformed secret
   * @example await users.deliverTo(`${appUrl}/hooks/users`, `whsec_${randomBytes(32).toString('base64')}`);
   */
  deliverTo(url: string, secret: string): Promise<void>;
  /**
   * Refuses the next requests to `/api` with this status, in the error format of the service, without any change. Requests that follow
   * the journal, such as those of `ActiveUserGuard`, are refused only if `path` is `/api/journal`.
   *
   * @throws Error for a status that the service never answers, and for an unknown option
   * @example await users.failNext({ status: 503, times: 2, path: '/api/users/workspace-assign' });
   */
  failNext(failure: PlannedFailure): Promise<void>;
  /** The clock by which the service judges ends of memberships and accounts. Tokens and everything else keep the real time. */
  clock: {
    /**
     * Moves it ahead, and carries out what has ended by then: memberships that were given `until`, and users with `activeUntil`. A
     * `reset` sets it back.
     *
     * @returns the time that it then shows
     * @throws Error for anything but a number of seconds from 0 on, and beyond 100 years
     * @example
     * const until = new Date(Date.now() + 3_600_000).toISOString();
     * await users.client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'], until });
     * await users.clock.advance(3_600);
     */
    advance(seconds: number): Promise<string>;
  };
  /**
   * Stops the service, and removes its database.
   *
   * @throws Error if the service did not end within five seconds
   */
  close(): Promise<void>;
}
