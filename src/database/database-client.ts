import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { DatabaseBounds } from '../config/bounds';
import { CannotWriteError, NoConnectionError } from './database-errors';
import { instrumentClient, type StatementObserver } from './instrument-client';
import { requireUsable, type Session, SESSION_CHECK, sessionCheckValues } from './session-check';
import { databaseCode } from './sql-errors';

type OnConnected = (error: Error | null, client?: Client) => void;

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

/** The purpose of a connection. */
export interface ConnectionPurpose extends StatementObserver {
  /** Whether the server must be able to write. */
  mustWrite: boolean;
  /** The timeout for making and checking the connection. */
  connectMs: number;
  /** Bounds of the session. */
  bounds?: DatabaseBounds | undefined;
  /** Whether frequent statements are prepared. */
  prepares?: boolean;
}

/**
 * A connection of `pg` that is ready to use: its session has the settings of the service, and a server that cannot
 * write, or can never be used, counts as unreachable.
 */
export class DatabaseClient extends Client {
  /** False once the connection may lead to a server that can no longer write. It is then closed at the next opportunity. */
  isTrusted = true;
  /** Whether it is in use. */
  isBusy = false;
  /** The properties that the server reported. */
  session: Session | undefined;
  private readonly misconfigured: Error | undefined;

  /** @param config called once; an error that it throws becomes the error of `connect`, because a pool expects none here */
  constructor(
    config: () => ClientConfig,
    private readonly purpose: ConnectionPurpose,
  ) {
    const { usable, failure } = attempt(config);
    super(usable);
    this.misconfigured = failure;
    // A broken connection fails its statement, and its pool drops it. Without a listener, the `error` event would end
    // the process.
    this.on('error', () => undefined);
    instrumentClient(this, purpose.prepares ?? false, purpose);
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

  /** Makes and checks the connection. */
  protected async open(): Promise<void> {
    const timer = setTimeout(() => this.hangUp(), this.purpose.connectMs).unref();
    try {
      if (this.misconfigured) throw this.misconfigured;
      await super.connect();
      await this.check();
    } catch (error) {
      this.hangUp();
      throw error instanceof CannotWriteError ? error : noConnection(error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async check(): Promise<void> {
    const { processID } = this as unknown as { processID: number | null };
    const { rows } = await this.query<Session>(SESSION_CHECK, sessionCheckValues(processID, this.purpose.bounds));
    this.session = rows[0] as Session;
    requireUsable(this.session, this.purpose.mustWrite);
  }
}

function noConnection(cause: unknown): NoConnectionError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new NoConnectionError(`no connection to the database: ${why}`, databaseCode(cause), { cause });
}

/** Reading certificates can fail while a configuration is built, and `pg` validates parts of it only when it creates a client. */
function attempt(config: () => ClientConfig): { usable: ClientConfig; failure?: Error } {
  try {
    const usable = config();
    new Client(usable);
    return { usable };
  } catch (error) {
    return { usable: {}, failure: error as Error };
  }
}
