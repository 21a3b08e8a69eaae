import { resolve } from 'node:path';
import { UserAdministrationClient } from '@user-administration/client';
import { WebhookReceiver } from '@user-administration/client/webhooks';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { isProduction } from '../../../src/config/production';
import type { DirectoryRecord } from '../../../src/contract/directory';
import { emulatorClock } from './emulator-clock';
import { EmulatorProcess } from './emulator-process';
import { EventFeed } from './event-feed';
import { refuseUnknownNames } from './known-names';
import { refuseUnknownVariables } from './known-variables';
import type { PlannedFailure } from './planned-failure';

/** Longer than a suite takes. */
const A_DAY_SECONDS = 86_400;

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
     * @throws Error for anything but a number of seconds from 0 on
     * @example
     * const until = new Date(Date.now() + 3_600_000).toISOString();
     * await users.client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'], until });
     * await users.clock.advance(3_600);
     */
    advance(seconds: number): Promise<void>;
  };
  /**
   * Stops the service, and removes its database.
   *
   * @throws Error if the service did not end within five seconds
   */
  close(): Promise<void>;
}

/**
 * Starts the User Administration Service for a test: the real service, in a separate process with its own database. It
 * needs neither a network nor Docker.
 *
 * @throws Error that says what to do: the line of the directory that is wrong, the variable that is
 * @example
 * const users = await startUserAdministration();
 * await users.client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] });
 * await users.close();
 */
export async function startUserAdministration(options: UserAdministrationOptions = {}): Promise<UserAdministration> {
  refuseUnknownNames('There is', options, { directory: true, databaseUrl: true, env: true });
  const { directory, databaseUrl, env = {} } = options;
  if (isProduction() || env.NODE_ENV === 'production') {
    throw new Error('This service is for tests: it signs tokens for any user. NODE_ENV must not be production.');
  }
  if (env.DATABASE_URL !== undefined) throw new Error('Give `databaseUrl` instead of the variable DATABASE_URL.');
  refuseUnknownVariables(env);
  const process = new EmulatorProcess();
  try {
    // A proxy cannot be sent to another process, and Vitest's `import.meta.env` is one.
    const started = process.call('start', { directory: sourceOf(directory), databaseUrl, env: { ...env } });
    const { url, accessTokens, now } = await started;
    const clock = emulatorClock(now);
    const tokenFor: UserAdministration['tokenFor'] = (sub, { scope, expiresIn = 300, ...claims } = {}) =>
      signAccessToken(accessTokens, { sub, scope, expiresIn, claims, now: clock() });
    const serviceToken = () =>
      tokenFor('calling-service', { scope: accessTokens.adminScope, expiresIn: A_DAY_SECONDS });
    return {
      url,
      client: new UserAdministrationClient({ baseUrl: url, token: serviceToken }),
      tokenFor,
      serviceToken,
      reset: (another) => process.call('reset', sourceOf(another)),
      async deliverTo(receiver, secret) {
        // Refuses a secret that the receiver under test could not use either.
        new WebhookReceiver({ secrets: secret });
        await process.call('deliverTo', { url: receiver, secret });
      },
      events: new EventFeed(
        (after, wait) => process.call('events', after, wait),
        (type) => process.call('firstEvent', type),
      ),
      clock: {
        async advance(seconds) {
          if (!Number.isFinite(seconds) || seconds < 0)
            throw new Error('Give `advance` a number of seconds from 0 on.');
          await process.call('advanceClock', seconds);
        },
      },
      failNext: (failure) => process.call('failNext', failure),
      close: () => process.close(),
    };
  } catch (error) {
    // Why it did not start says more than that it did not end either.
    await process.close().catch(() => undefined);
    throw error;
  }
}

function sourceOf(directory: Directory | undefined): string | string[] | undefined {
  if (typeof directory === 'string') return resolve(directory);
  return directory?.map((record) => JSON.stringify(record));
}
