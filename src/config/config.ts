import type { DatabaseBounds, HttpBounds } from './bounds';

/** Everything that can be set from outside, read once at start, complete and frozen. `.env.example` describes each. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Processes that serve. */
  readonly workers: number;
  /** Where the database is, on one host or several; none means PostgreSQL embedded in this process, kept in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The file that the URL was read from, and is read from again for new connections. */
  readonly databaseUrlFile: string | undefined;
  /** Where copies of it are, for reads that may be a few moments old. */
  readonly databaseReplicaUrls: readonly string[];
  readonly databasePasswords: DatabasePasswords;
  /** Connections to the database that this process may hold, and to each replica. */
  readonly databasePoolSize: number;
  /** Whether frequent statements are prepared on each connection. */
  readonly databasePreparedStatements: boolean;
  readonly databaseIsolation: IsolationLevel;
  readonly databaseBounds: DatabaseBounds;
  readonly httpBounds: HttpBounds;
  readonly fairUse: FairUseConfig;
  readonly dataDir: string;
  readonly accessTokens: AccessTokenConfig;
  /** Signs status tokens, which this service both makes and verifies. */
  readonly statusTokenSecret: string;
  readonly webhooks: WebhookConfig;
  readonly logLevel: LogLevel;
}

/** At which level transactions run: the one that this service is made for, or the one that distributed engines give. */
export const ISOLATION_LEVELS = ['read-committed', 'serializable'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** Where the password for the database is, if not in its URL. Files are read again for each new connection. */
export interface DatabasePasswords {
  /** A file that holds the password and nothing else. */
  readonly file: string | undefined;
  /** libpq's `PGPASSWORD`. */
  readonly variable: string | undefined;
  /** libpq's `PGPASSFILE`: one password for each server, database and user. */
  readonly passFile: string;
}

/** How many requests this process takes in each window of time: from one address, and of one caller. 0 means any number. */
export interface FairUseConfig {
  readonly perAddress: number;
  readonly perCaller: number;
  readonly windowSeconds: number;
  /** Proxies in front of the service, whose word on the address of a caller is taken. */
  readonly trustedProxies: number;
}

/** Where webhooks may lead. */
export interface WebhookConfig {
  /** Also to addresses that are not public, and by plain http. */
  readonly allowPrivate: boolean;
}

/** How access tokens are verified, exactly one key among it, and what of their claims counts. */
export interface AccessTokenConfig {
  readonly key: VerificationKey;
  /** The issuers and the audiences that are accepted; none means any. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** The claim in which scopes stand. */
  readonly scopeClaim: string;
  /** The claim that is the id of a user in the directory. */
  readonly userClaim: string;
  /** The scope that makes a service an administrator. */
  readonly adminScope: string;
  /** Subjects that are services. With a secret, nobody else is one. */
  readonly serviceSubjects: readonly string[];
}

export type VerificationKey =
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'public-key'; readonly pem: string }
  | { readonly kind: 'jwks'; readonly uri: string };

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The injection token of {@link Config}. */
export const CONFIG = Symbol('CONFIG');
