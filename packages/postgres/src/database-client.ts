import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError, Query, type QueryResult } from 'pg';
import type { DatabaseBounds } from './database-bounds';
import { AnswerLostError, CannotWriteError, NoConnectionError } from './database-errors';
import type { DatabaseServers } from './database-servers';
import { nameOf } from './prepared-statements';
import { requireUsable, type Session, SESSION_CHECK, sessionCheckValues } from './session-check';
import { databaseCode } from './sql-errors';

type OnConnected = (error: Error | null, client?: Client) => void;
type OnAnswered = (error: Error | null | undefined, result: QueryResult) => void;
type Send = (statement: unknown, ...rest: unknown[]) => unknown;

/**
 * Session settings that the service relies on, whatever the defaults of the database or the role. Poolers know these
 * settings, and keep them for each client.
 */
const SESSION_DEFAULTS = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
};

export interface ConnectionOptions {
  servers: DatabaseServers;
  /** One of the servers; by default the chosen one. */
  url?: string;
  /** The timeout for making and checking the connection. */
  connectMs: number;
  /** Bounds of the session. */
  bounds?: DatabaseBounds | undefined;
  /** Whether frequent statements are prepared: those that are declared with `prepared`. */
  prepares?: boolean;
}

/**
 * A connection of `pg` that is ready to use: its session has the settings of the service, and a server that cannot
 * write, or can never be used, counts as unreachable.
 *
 * Each statement is timed, frequent ones are prepared, and a failure says whether the statement had been sent.
 */
export class DatabaseClient extends Client {
  /** False once the connection may lead to a server that can no longer write. */
  isTrusted = true;
  /** Whether it is in use. */
  isBusy = false;
  /** The properties that the server reported. */
  session: Session | undefined;
  private readonly misconfigured: Error | undefined;
  private readonly connectMs: number;
  /** Really private, because a logged error can show its connection, and the URL can contain a password. */
  readonly #options: ConnectionOptions;
  /**
   * Names of prepared statements are unique to the connection: all connections to the embedded database of another
   * process share one session.
   */
  private readonly suffix = randomBytes(8).toString('hex');

  /** An error in the configuration becomes the error of `connect`, because a pool expects none here. */
  constructor(options: ConnectionOptions) {
    const { config, failure } = configOf(options);
    super(config);
    this.#options = options;
    this.misconfigured = failure;
    // libpq's parameter, in seconds, which `pg` does not know.
    this.connectMs = Number((config as { connect_timeout?: string }).connect_timeout ?? 0) * 1000 || options.connectMs;
    // A broken connection fails its statement, and its pool drops it. Without a listener, the `error` event would end
    // the process.
    this.on('error', () => undefined);
    this.query = this.sendAny as Client['query'];
  }

  /** `pg` reads the parameters of a new session from here. */
  getStartupConf(): Record<string, string> {
    const inherited = Client.prototype as unknown as { getStartupConf(): Record<string, string> };
    return { ...inherited.getStartupConf.call(this), ...SESSION_DEFAULTS };
  }

  override connect(): Promise<Client>;
  override connect(done: OnConnected): void;
  override connect(done?: OnConnected): Promise<Client> | void {
    const connected = this.open();
    if (!done) return connected.then(() => this);
    connected.then(() => done(null, this), done);
  }

  /** Closes the socket without a message to the server, which may not answer. Statements on this connection fail. */
  hangUp(): void {
    (this.connection.stream as Socket | undefined)?.destroy();
  }

  /** The connection may lead to a server that can no longer write: it is closed at once, or when its work is done. */
  distrust(): void {
    this.isTrusted = false;
    if (!this.isBusy) this.hangUp();
  }

  /** @throws CannotWriteError or DatabaseRefusedError if the server cannot be used, or not any more */
  async check(): Promise<Session> {
    const { processID } = this as unknown as { processID: number | null };
    const { rows } = await this.query<Session>(SESSION_CHECK, sessionCheckValues(processID, this.#options.bounds));
    this.session = rows[0] as Session;
    requireUsable(this.session, this.#options.servers.mustWrite);
    return this.session;
  }

  /** Makes and checks the connection. */
  protected async open(): Promise<Session> {
    const timer = setTimeout(() => this.hangUp(), this.connectMs).unref();
    try {
      if (this.misconfigured) throw this.misconfigured;
      await super.connect();
      return await this.check();
    } catch (error) {
      this.hangUp();
      throw error instanceof CannotWriteError ? error : noConnection(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Called when a statement has succeeded or failed. */
  protected answered?(seconds: number, failure: Error | null | undefined): void;

  private sendAny(statement: unknown, values?: unknown, callback?: unknown): unknown {
    // Anything but text has its own way of sending (a cursor, COPY), or more than one result.
    if (typeof statement !== 'string') return (super.query as Send)(statement, values, callback);
    if (typeof values === 'function') return this.send(statement, undefined, values as OnAnswered);
    if (typeof callback === 'function') return this.send(statement, values as unknown[], callback as OnAnswered);
    return new Promise<QueryResult>((resolve, reject) => {
      this.send(statement, values as unknown[], (error, result) => (error ? reject(error) : resolve(result)));
    });
  }

  private send(text: string, values: unknown[] | undefined, done: OnAnswered): void {
    const began = performance.now();
    const statement = new Statement(text, values, (error, result) => {
      const failure = error && statement.isSent && isAnswerLost(this, error) ? answerLost(error) : error;
      this.answered?.((performance.now() - began) / 1000, failure);
      done(failure, result);
    });
    const name = this.#options.prepares ? nameOf(text) : undefined;
    if (name !== undefined) statement.name = `${name}_${this.suffix}`;
    super.query(statement);
  }
}

/** The parts of `pg`'s class that its type does not declare. */
interface SendableQuery {
  name?: string;
  submit(wire: Client['connection']): Error | null;
}
const SendableQuery = Query as unknown as new (text: string, values?: unknown[], done?: OnAnswered) => SendableQuery;

class Statement extends SendableQuery {
  isSent?: boolean;

  override submit(wire: Client['connection']): Error | null {
    // `pg` writes nothing to a socket that is closed.
    this.isSent = wire.stream.writable;
    return super.submit(wire);
  }
}

/**
 * A server that gives the reason why it ends a statement has rolled it back. Class 08 is a pooler's code for a broken
 * connection to the server.
 */
function isAnswerLost(client: Client, error: Error): boolean {
  if (error instanceof DatabaseError) return error.code?.startsWith('08') ?? false;
  return client.connection.stream.destroyed;
}

function answerLost(cause: Error): AnswerLostError {
  return new AnswerLostError('the connection was lost before the answer came', databaseCode(cause), { cause });
}

function noConnection(cause: unknown): NoConnectionError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new NoConnectionError(`no connection to the database: ${why}`, databaseCode(cause), { cause });
}

/**
 * Reading certificates can fail while a configuration is built, and `pg` validates parts of it only when it creates a
 * client.
 */
function configOf({ servers, url }: ConnectionOptions): { config: ClientConfig; failure?: Error } {
  try {
    const config = servers.configOf(url);
    new Client(config);
    return { config };
  } catch (error) {
    return { config: {}, failure: error as Error };
  }
}
