import type { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { DatabaseBounds } from '../config/bounds';
import { CannotWriteError, NoConnectionError } from './database-errors';
import { instrumentClient, type StatementObserver } from './instrument-client';
import { requireUsable, type Session, SESSION_CHECK, sessionCheckValues } from './session-check';
import { databaseCode } from './sql-errors';

type OnConnected = (error: Error | null, client?: Client) => void;

/** What the service relies on, whatever the database or the role has by default. Poolers know these, and keep them for each client. */
const SESSION_DEFAULTS = {
  client_encoding: 'UTF8',
  DateStyle: 'ISO',
  TimeZone: 'UTC',
  standard_conforming_strings: 'on',
};

/** What a connection is for. */
export interface ConnectionPurpose extends StatementObserver {
  /** Whether the server must be able to write. */
  mustWrite: boolean;
  /** How long it may take until the connection is made and checked. */
  connectMs: number;
  /** Bounds of the session, if any. */
  bounds?: DatabaseBounds | undefined;
  /** Whether frequent statements are prepared. */
  prepares?: boolean;
}

/**
 * A connection of `pg` that is of use from the start: its session is as the service needs it, and a server that cannot write, or will never
 * do, counts as one that cannot be reached.
 */
export class DatabaseClient extends Client {
  /** False once it may lead to a server that cannot write any more: it is then closed at the next opportunity. */
  isTrusted = true;
  /** Whether somebody works with it. */
  isBusy = false;
  /** What the server said of itself. */
  session: Session | undefined;
  private readonly misconfigured: Error | undefined;

  /** @param config called once; whatever it throws is the failure of `connect`, because a pool does not expect it from here */
  constructor(
    config: () => ClientConfig,
    private readonly purpose: ConnectionPurpose,
  ) {
    const { usable, failure } = attempt(config);
    super(usable);
    this.misconfigured = failure;
    // A broken connection fails its statement, and its pool drops it. Without a listener, the event would end the process.
    this.on('error', () => undefined);
    instrumentClient(this, purpose.prepares ?? false, purpose);
  }

  /** `pg` takes the parameters of a new session from here. */
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

  /** Without a word to the server: nobody may be there to hear it. What waits on this connection fails. */
  hangUp(): void {
    (this.connection.stream as Socket | undefined)?.destroy();
  }

  /** Makes the connection, and whatever belongs to that. */
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

/** Certificates are read while a configuration is made, and some of it is judged only when a client is made of it. */
function attempt(config: () => ClientConfig): { usable: ClientConfig; failure?: Error } {
  try {
    const usable = config();
    new Client(usable);
    return { usable };
  } catch (error) {
    return { usable: {}, failure: error as Error };
  }
}
