import { randomInt } from 'node:crypto';
import { postRequest } from './http-connection';
import type { Workload } from './workload';

const USERS = 1_000;
const WORKSPACES = 5;

/** Each operation on 1,000 users, so that there is work to do: an unassignment undoes an assignment that was measured before. */
export class BulkWorkloads {
  private readonly assigned: string[] = [];
  private readonly deactivated: string[][] = [];

  constructor(
    private readonly token: string,
    private readonly users: number,
    private readonly workspaces: number,
  ) {}

  /** In the order in which they must be measured. */
  all(): Workload[] {
    return [
      this.workload('workspace-assign', () => {
        const workspaces = new Set<string>();
        while (workspaces.size < WORKSPACES) workspaces.add(`workspace-${randomInt(1, this.workspaces + 1)}`);
        const body = JSON.stringify({ userIds: this.someUsers(), workspaces: [...workspaces] });
        this.assigned.push(body);
        return body;
      }),
      this.workload('workspace-unassign', () => this.assigned.pop() ?? '{}'),
      this.workload('status-assign', () => {
        const userIds = this.deactivated.pop();
        if (userIds) return JSON.stringify({ userIds, status: 'active' });
        const others = this.someUsers();
        this.deactivated.push(others);
        return JSON.stringify({ userIds: others, status: 'inactive' });
      }),
    ];
  }

  private workload(operation: string, body: () => string): Workload {
    const next = () => postRequest(`/api/users/${operation}`, this.token, body());
    return { name: 'U', title: operation, connections: 1, requests: 2, expected: 200, usualWay: 'no', next };
  }

  private someUsers(): string[] {
    const first = randomInt(1, Math.max(2, this.users - USERS));
    return Array.from({ length: USERS }, (_, index) => `user-${first + index}`);
  }
}
