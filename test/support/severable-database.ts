import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createDataSource } from './whole-schema';
import type { OpenedDatabase } from '@user-administration/postgres';
import { DirectoryBuilder } from './directory-builder';
import { openTestDatabase, type TestDatabaseOptions } from './test-database';

/** A new test database behind a connection that can be cut and restored, as if the server went away and came back. */
export class SeverableDatabase {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private isFrozen = false;
  private loss: { request: RegExp; whenAnswered: boolean } | undefined;

  private constructor(
    private readonly database: OpenedDatabase,
    private port: number,
  ) {}

  static async open(options?: TestDatabaseOptions): Promise<SeverableDatabase> {
    return this.of(await openTestDatabase(options));
  }

  /** @param database closed together with the proxy */
  static async of(database: OpenedDatabase): Promise<SeverableDatabase> {
    const severable = new SeverableDatabase(database, 0);
    await severable.mend();
    return severable;
  }

  /** The URL for the service. */
  get address(): { url: string; poolSize: number } {
    const url = new URL(this.database.url);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    url.searchParams.delete('host');
    return { url: url.href, poolSize: this.database.poolSize };
  }

  /** Ends every connection, and refuses new ones. */
  async cut(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = once(server.close(), 'close');
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  /** Accepts connections again, at the same address. */
  async mend(): Promise<void> {
    this.server = createServer((socket) => this.passOn(socket)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** From now on, no bytes pass in either direction: connections stay open, and new ones are accepted, without an answer. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  /**
   * Cuts the connection whose client next sends this text: before it reaches the server, or after the server has
   * answered, in both cases before the client receives anything.
   */
  loseAnswerTo(request: RegExp, whenAnswered: boolean): void {
    this.loss = { request, whenAnswered };
  }

  /** Writes records through a separate connection. */
  async fill(write: (directory: DirectoryBuilder) => Promise<void>): Promise<void> {
    const dataSource = await createDataSource(this.database).initialize();
    try {
      await write(new DirectoryBuilder(dataSource));
    } finally {
      await dataSource.destroy();
    }
  }

  async close(): Promise<void> {
    await this.cut();
    await this.database.close();
  }

  private passOn(socket: Socket): void {
    const url = new URL(this.database.url);
    const port = Number(url.port || 5432);
    const folder = url.searchParams.get('host');
    const upstream = folder?.startsWith('/')
      ? connect({ path: `${folder}/.s.PGSQL.${port}` })
      : connect({ host: url.hostname, port });
    let isLost = false;
    const cut = () => socket.resetAndDestroy();
    const pass = (from: Socket, bytes: Buffer): void => {
      if (from === upstream) {
        if (!isLost) socket.write(bytes);
        else if (isAnswered(bytes)) cut();
        return;
      }
      const { loss } = this;
      if (loss?.request.test(bytes.toString('latin1'))) {
        this.loss = undefined;
        isLost = true;
        if (!loss.whenAnswered) {
          cut();
          return;
        }
      }
      upstream.write(bytes);
    };
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('data', (bytes: Buffer) => pass(one, bytes));
      one.on('end', () => other.end());
      if (this.isFrozen) one.pause();
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  }
}

/** An answer of the server ends with `ReadyForQuery`: six bytes, of which the last is the transaction state. */
function isAnswered(bytes: Buffer): boolean {
  return bytes.length >= 6 && bytes.toString('latin1', bytes.length - 6, bytes.length - 1) === 'Z\0\0\0\x05';
}
