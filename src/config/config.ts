import type { DatabaseBounds, HttpBounds } from './bounds';

/** All settings, read once at start, complete and frozen. `.env.example` describes each. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** The number of processes that serve. */
  readonly workers: number;
  /** The database, on one host or several; without it, PostgreSQL runs embedded in this process, with its data in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The file of the URL. It is read again for each new connection. */
  readonly databaseUrlFile: string | undefined;
  /** Replicas, for reads that may lag by a few moments. */
  readonly databaseReplicaUrls: readonly string[];
  readonly databasePasswords: DatabasePasswords;
  /** The maximum number of connections of this process to the database, and to each replica. */
  readonly databasePoolSize: number;
  /** Whether frequent statements are prepared on each connection. */
  readonly databasePreparedStatements: boolean;
  readonly databaseIsolation: IsolationLevel;
  readonly databaseBounds: DatabaseBounds;
  readonly httpBounds: HttpBounds;
  readonly fairUse: FairUseConfig;
  readonly dataDir: string;
  readonly accessTokens: AccessTokenConfig;
  /** Signs status tokens, which only this service creates and verifies. */
  readonly statusTokenSecret: string;
  readonly webhooks: WebhookConfig;
  readonly logLevel: LogLevel;
}

/** The isolation level of transactions: the default of this service, or the one for distributed engines. */
export const ISOLATION_LEVELS = ['read-committed', 'serializable'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** Sources of the database password, if the URL has none. Files are read again for each new connection. */
export interface DatabasePasswords {
  /** A file that contains only the password. */
  readonly file: string | undefined;
  /** libpq's `PGPASSWORD`. */
  readonly variable: string | undefined;
  /** libpq's `PGPASSFILE`: one password for each server, database and user. */
  readonly passFile: string;
}

/** The maximum number of requests to this process in each window of time: from one address, and of one caller. 0 means no limit. */
interface FairUseConfig {
  readonly perAddress: number;
  readonly perCaller: number;
  readonly windowSeconds: number;
  /** The number of proxies in front of the service whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number;
}

/** Permitted destinations of webhooks. */
interface WebhookConfig {
  /** Whether private addresses and plain http are permitted. */
  readonly allowPrivate: boolean;
}

/** How access tokens are verified: exactly one key, and the rules for claims. */
export interface AccessTokenConfig {
  readonly key: VerificationKey;
  /** The accepted issuers and audiences; none means any. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** The claim that contains scopes. */
  readonly scopeClaim: string;
  /** The claim that contains the id of a user. */
  readonly userClaim: string;
  /** The scope that makes a service an administrator. */
  readonly adminScope: string;
  /** Subjects that are services. With a secret, this list is exclusive. */
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
