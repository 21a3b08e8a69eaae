import { createSecretKey, randomInt } from 'node:crypto';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { sign } from 'jsonwebtoken';
import { BulkWorkloads } from './bulk-workloads';
import { ADMINISTRATORS, GROUPS_PER_WORKSPACE } from './bench-directory';
import { postRequest } from './http-connection';
import type { Workload } from './workload';

const ASSIGN = '/api/users/workspace-assign';
const STATUS = '/api/users/manage-status';

const USERS_IN_BULK = 1_000;
const WORKSPACES_IN_BULK = 5;
const GROUPS_IN_BULK = 10;

/** The requests of each workload, for a directory of this size. What each names is drawn anew, so that there is work to do. */
export class Workloads {
  private readonly tokens: string[];
  private readonly forged: string;

  constructor(
    secret: string,
    private readonly users: number,
    private readonly workspaces: number,
  ) {
    const config = { key: { kind: 'secret', secret } } as const;
    this.tokens = Array.from({ length: ADMINISTRATORS }, (_, index) =>
      signAccessToken(config, { sub: `admin-${index + 1}`, expiresIn: 86_400 }),
    );
    const foreignKey = createSecretKey(Buffer.from('the secret of somebody else, of 32 bytes'));
    this.forged = sign({ sub: 'admin-1' }, foreignKey, { expiresIn: 86_400 });
  }

  assignOne(connections: number): Workload {
    const title = `A one user to one workspace and group, ${connections} at once`;
    return { name: 'A', title, connections, expected: 200, usualWay: 'always', next: () => this.assignment() };
  }

  assignMany(): Workload {
    const title = 'B 1,000 users x 5 workspaces x 10 groups in one request';
    const next = () => this.bulk();
    return { name: 'B', title, connections: 1, requests: 2, expected: 200, usualWay: 'once', next };
  }

  changeStatus(connections: number): Workload {
    const next = () => {
      const token = this.token();
      return postRequest(STATUS, token, JSON.stringify({ id: this.user(), token }));
    };
    return {
      name: 'C',
      title: `C status changes, ${connections} at once`,
      connections,
      expected: 200,
      usualWay: 'no',
      next,
    };
  }

  refuse(): Workload {
    const body = JSON.stringify({ userIds: ['user-1'], workspaces: ['workspace-1'] });
    const request = postRequest(ASSIGN, this.forged, body);
    const title = 'D refused for a bad token, 32 at once';
    return { name: 'D', title, connections: 32, expected: 401, usualWay: 'always', next: () => request };
  }

  overlap(): Workload {
    const next = () => {
      const userIds = distinct(20, () => `user-${randomInt(1, 51)}`);
      const workspaces = distinct(2, () => randomInt(1, 6));
      return this.assign(userIds, workspaces, GROUPS_PER_WORKSPACE);
    };
    const title = 'F 32 callers, 20 of the same 50 users, 2 of the same 5 workspaces, 10 groups';
    return { name: 'F', title, connections: 32, expected: 200, usualWay: 'no', next };
  }

  /** The operations on many users, one after the other. */
  bulkOperations(): Workload[] {
    return new BulkWorkloads(this.token(), this.users, this.workspaces).all();
  }

  /** The load of an ordinary day: mostly assignments, some status changes and refusals. */
  mixed(): Workload {
    const kinds = [this.assignOne(1), this.assignOne(1), this.changeStatus(1), this.overlap()] as const;
    const next = () => kinds[randomInt(kinds.length)]?.next() ?? '';
    return { name: 'A', title: 'mixed load, 16 at once', connections: 16, expected: 200, usualWay: 'no', next };
  }

  private assignment(): string {
    return this.assign([this.user()], [this.workspace()], 1);
  }

  private bulk(): string {
    const first = randomInt(1, Math.max(2, this.users - USERS_IN_BULK));
    const userIds = Array.from({ length: USERS_IN_BULK }, (_, index) => `user-${first + index}`);
    return this.assign(
      userIds,
      distinct(WORKSPACES_IN_BULK, () => this.workspace()),
      GROUPS_IN_BULK,
    );
  }

  /** Groups are spread over the workspaces. */
  private assign(userIds: string[], workspaces: number[], groups: number): string {
    const first = randomInt(GROUPS_PER_WORKSPACE);
    const group = (index: number) =>
      `group-${workspaces[index % workspaces.length]}-${((first + Math.floor(index / workspaces.length)) % GROUPS_PER_WORKSPACE) + 1}`;
    const body = {
      userIds,
      workspaces: workspaces.map((workspace) => `workspace-${workspace}`),
      groups: Array.from({ length: groups }, (_, index) => group(index)),
    };
    return postRequest(ASSIGN, this.token(), JSON.stringify(body));
  }

  private user(): string {
    return `user-${randomInt(1, this.users + 1)}`;
  }

  private workspace(): number {
    return randomInt(1, this.workspaces + 1);
  }

  private token(): string {
    return this.tokens[randomInt(this.tokens.length)] ?? '';
  }
}

function distinct<T>(count: number, draw: () => T): T[] {
  const drawn = new Set<T>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn];
}
