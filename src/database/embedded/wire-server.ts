import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Socket } from 'node:net';
import type { SharedSession } from './shared-session';
import { WireConnection } from './wire-connection';

const MAX_CONNECTIONS = 100;

/**
 * Lets ordinary PostgreSQL clients reach a database that lives inside this process.
 *
 * It listens before the database is open (a client that comes early waits), because being listened to is also how
 * other processes see that the folder is held.
 *
 * `@electric-sql/pglite-socket` is not used: it hands the session on after each message instead of after each batch,
 * so a client whose statement arrives in more than one piece was seen to get another client's rows.
 */
export class WireServer {
  /** Without it, anybody on this machine could walk in through a port. */
  readonly password = randomBytes(24).toString('base64url');
  private readonly server = createServer((socket) => this.accept(socket));
  private readonly connections = new Set<WireConnection>();
  private readonly session: Promise<SharedSession>;
  private resolveSession!: (session: SharedSession) => void;
  private rejectSession!: (error: Error) => void;
  private ending = false;

  constructor() {
    this.session = new Promise((resolve, reject) => {
      this.resolveSession = resolve;
      this.rejectSession = reject;
    });
    this.session.catch(() => undefined);
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  /** Listens, and returns the port if there is one. */
  async listen(options: ListenOptions): Promise<number | undefined> {
    this.server.listen(options);
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** Begins to answer. */
  open(session: SharedSession): void {
    this.resolveSession(session);
  }

  /** Lets the process end although this listens. */
  unref(): void {
    this.server.unref();
  }

  /** Ends every connection that there is, and accepts others. */
  async endConnections(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.end()));
  }

  /** Ends every connection. Goes on listening, and turns newcomers away, until {@link close}. */
  async refuseConnections(): Promise<void> {
    this.ending = true;
    this.rejectSession(new Error('the database was closed'));
    await this.endConnections();
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    await this.refuseConnections();
    await closed;
  }

  private accept(socket: Socket): void {
    const connection = new WireConnection(socket, this.password, this.session);
    this.connections.add(connection);
    void connection.left.then(() => this.connections.delete(connection));
    if (this.ending) void connection.end();
  }
}
