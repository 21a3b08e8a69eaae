import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Status = 'active' | 'inactive';
interface Entry {
  action: string;
  user: string | undefined;
  before: object | null;
  after: object | null;
}

/** A service with a list, single records and a journal of users, which can become unreachable in several ways. */
export class FollowedService {
  readonly asked: string[] = [];
  url = '';
  /** Accepts requests and does not answer. */
  silent = false;
  /** Answers everything but the journal. */
  feedSilent = false;
  /** Entries on a page of the journal, at most: a page ends at its size as well. */
  page = 10_000;
  /** Refuses every token. */
  locked = false;
  /** Cursors of entries that the journal has lost, as after a failover. */
  private readonly lost = new Set<string>();
  private readonly users = new Map<string, Status>();
  readonly entries: Entry[] = [];
  /** The users whose newest changes the journal does not tell yet. */
  readonly unsealed = new Map<string, Status>();
  private readonly waiting = new Set<() => void>();
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;

  static async start(users: Record<string, Status>): Promise<FollowedService> {
    const service = new FollowedService();
    for (const [id, status] of Object.entries(users)) service.users.set(id, status);
    await service.listen(0);
    return service;
  }

  /** Listens at the same address again, as after a restart. */
  async listen(port = Number(new URL(this.url).port)): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response));
    server.on('connection', (socket) => this.sockets.add(socket.on('close', () => this.sockets.delete(socket))));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.server = server;
  }

  /** Closes all connections, as when the process is killed. */
  async kill(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  set(user: string, status: Status): void {
    const before = this.users.get(user);
    this.users.set(user, status);
    this.tell({ action: 'user.status.changed', user, before: { status: before }, after: { status } });
  }

  /** Changes a status in a journal that has lost what was told so far: others stand at its cursors. */
  setAfterLoss(user: string, status: Status): void {
    for (let after = 0; after <= this.entries.length; after++) this.lost.add(String(after));
    this.users.set(user, status);
    this.entries.push({ action: 'user.created', user: 'other', before: null, after: {} });
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  delete(user: string): void {
    this.users.delete(user);
    this.tell({ action: 'user.deleted', user, before: {}, after: null });
  }

  rename(user: string, id: string): void {
    this.users.set(id, this.users.get(user) ?? 'active');
    this.users.delete(user);
    this.tell({ action: 'user.renamed', user, before: { id: user }, after: { id } });
  }

  create(user: string, after: object = {}): void {
    this.users.set(user, 'active');
    this.tell({ action: 'user.created', user, before: null, after });
  }

  /** Appends an entry, and answers the waiting requests. */
  tell(entry: Entry): void {
    this.entries.push(entry);
    for (const wake of this.waiting) wake();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', this.url);
    this.asked.push(request.url ?? '');
    if (this.silent || (this.feedSilent && pathname === '/api/journal')) return;
    if (this.locked) return send(response, 401, { status: 401, code: 'auth.token_invalid', detail: 'No.' });
    if (pathname === '/health/ready') return send(response, 200, { status: 'ok' });
    if (pathname === '/api/journal' && this.lost.has(query.get('after') ?? '')) {
      return send(response, 410, { status: 410, code: 'journal.other', detail: 'Another journal.' });
    }
    if (pathname === '/api/journal') {
      const { more, ...page } = await this.journal(query);
      if (more) response.setHeader('link', `</api/journal?after=${page.next}>; rel="next"`);
      return send(response, 200, query.get('statuses') === 'true' ? { ...page, statuses: this.statuses() } : page);
    }
    if (pathname === '/api/users') return send(response, 200, { users: this.list(query), next: null });
    const id = decodeURIComponent(pathname.replace('/api/users/', ''));
    const status = this.users.get(id);
    if (status) return send(response, 200, { id, status });
    return send(response, 404, { status: 404, code: 'user.unknown', detail: 'There is no such user.' });
  }

  private statuses(): object {
    const ids = (status: Status) => [...this.unsealed].flatMap(([id, its]) => (its === status ? [id] : []));
    return { active: ids('active'), inactive: ids('inactive') };
  }

  /** Looks at as many entries as fit on a page, so a page with a filter can be empty although there are more. */
  private async journal(query: URLSearchParams): Promise<{ entries: Entry[]; next: string | null; more: boolean }> {
    const after = query.get('after');
    const actions = query.getAll('action');
    const fits = ({ action }: Entry) => actions.length === 0 || actions.includes(action);
    if (after === null) return { entries: this.entries.filter(fits).reverse(), next: null, more: false };
    const from = after === 'now' ? this.entries.length : Number(after);
    if (from === this.entries.length) await this.somethingNew(Number(query.get('wait') ?? 0) * 1_000);
    const looked =
      this.silent || this.feedSilent
        ? []
        : this.entries.slice(from, from + Math.min(Number(query.get('limit') ?? 50), this.page));
    const next = from + looked.length;
    return { entries: looked.filter(fits), next: String(next), more: next < this.entries.length };
  }

  private somethingNew(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
    });
  }

  private list(query: URLSearchParams): object[] {
    const ids = query.getAll('id');
    return [...this.users]
      .filter(([id, status]) => (ids.length > 0 ? ids.includes(id) : status === query.get('status')))
      .map(([id, status]) => ({ id, status }));
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
  response.end(JSON.stringify(body));
}
