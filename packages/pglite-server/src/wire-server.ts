import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Socket } from 'node:net';
import type { SharedSession } from './shared-session';
import { WireConnection } from './wire-connection';

const MAX_CONNECTIONS = 100;

/**
 * Connects ordinary PostgreSQL clients to a database inside this process.
 *
 * It listens before the database is open (early clients wait), because other processes detect by the listener that the
 * folder is in use.
 *
 * `@electric-sql/pglite-socket` is not used: it passes the session on after each message instead of each batch, so a
 * client whose statement arrives in parts got another client's rows.
 */
export class WireServer {
  /** Without a password, any user of this machine could connect to the port. */
  readonly password = randomBytes(24).toString('base64url');
  private readonly server = createServer((socket) => this.accept(socket));
  private readonly connections = new Set<WireConnection>();
  private readonly session: Promise<SharedSession>;
  private resolveSession!: (session: SharedSession) => void;
  private rejectSession!: (error: Error) => void;
  private ending = false;

  constructor(private readonly idleTransactionMs = 0) {
    this.session = new Promise((resolve, reject) => {
      this.resolveSession = resolve;
      this.rejectSession = reject;
    });
    this.session.catch(() => undefined);
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  async listen(options: ListenOptions): Promise<number | undefined> {
    this.server.listen(options);
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' ? address?.port : undefined;
  }

  /** Starts to answer clients. */
  open(session: SharedSession): void {
    this.resolveSession(session);
  }

  unref(): void {
    this.server.unref();
  }

  async endConnections(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.end()));
  }

  /** Ends every connection. It continues to listen and rejects new clients until {@link close}. */
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
    const connection = new WireConnection(socket, this.password, this.session, this.idleTransactionMs);
    this.connections.add(connection);
    void connection.left.then(() => this.connections.delete(connection));
    if (this.ending) void connection.end();
  }
}
