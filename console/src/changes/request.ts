import type { Assignment, StatusAssignment } from '@user-administration/client';
import { keyed } from '../make-once.ts';
import { service } from '../service.ts';
import { isServiceError } from '../service-errors.ts';
import type { Place } from '../places/place-label.tsx';
import { kindOf, type ProposedChange, type Result } from './change.ts';

/** A change as it is sent, without the reason. */
export type ChangeRequest =
  { kind: 'add' | 'remove'; body: Assignment } | { kind: 'active' | 'inactive'; body: StatusAssignment };

/** The request for a change; undefined as long as the places are missing. */
export function requestOf(change: ProposedChange, chosen: readonly Place[], until: string): ChangeRequest | undefined {
  const userIds = [...change.userIds];
  if (change.kind === 'status') return { kind: change.status, body: { userIds, status: change.status } };
  const { workspaces = workspacesOf(chosen), groups = groupsOf(chosen) } = change;
  if (workspaces.length === 0) return undefined;
  const places = {
    workspaces: [...workspaces],
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(until && { until }),
  };
  return { kind: kindOf(change, until) as 'add' | 'remove', body: { userIds, ...places } };
}

/** A group can be joined only together with its workspace. */
const workspacesOf = (places: readonly Place[]): string[] => [
  ...new Set(places.map(({ id, workspace }) => workspace ?? id)),
];
const groupsOf = (places: readonly Place[]): string[] =>
  places.filter(({ kind }) => kind === 'group').map(({ id }) => id);

/** The places that a request is about, as one says them: of a group, the workspace goes without saying. */
export function placesOfRequest({ body }: ChangeRequest): Place[] {
  if (!('workspaces' in body)) return [];
  if (!body.groups?.length) return body.workspaces.map((id) => ({ kind: 'workspace', id }));
  return body.groups.map((id) => ({ kind: 'group', id }));
}

interface SendOptions {
  dryRun?: boolean;
  representation?: boolean;
  lenient?: boolean;
  signal?: AbortSignal;
  idempotencyKey?: string;
  requestId?: string;
}

/** From this many memberships on, the service can need more time than the client gives it by default. */
const LARGE = 20_000;
const PATIENCE = { timeoutMs: 60_000, deadlineMs: 120_000 };

export async function send(request: ChangeRequest, options: SendOptions): Promise<Result | undefined> {
  const { body } = request;
  const places = 'workspaces' in body ? body.workspaces.length + (body.groups?.length ?? 0) : 1;
  const call = { ...options, ...(body.userIds.length * places > LARGE && PATIENCE) };
  switch (request.kind) {
    case 'add':
      return (await service.users.assignWorkspaces(request.body, call)).result;
    case 'remove':
      return (await service.users.unassignWorkspaces(request.body, call)).result;
    case 'active':
    case 'inactive':
      return (await service.users.assignStatus(request.body, call)).result;
  }
}

/** What a request would change, before it is made. */
export interface Preview {
  request: ChangeRequest;
  /** Undefined if it is too large to be shown. */
  result: Result | undefined;
  /** Of those who become inactive. */
  administrators: string[];
}

export async function previewOf(request: ChangeRequest, signal: AbortSignal): Promise<Preview> {
  const [result, administrators] = await Promise.all([
    send(request, { dryRun: true, lenient: true, signal }).catch((error: unknown) => {
      if (isTooLarge(error)) return undefined;
      throw error;
    }),
    request.kind === 'inactive' ? activeAdministrators(signal) : [],
  ]);
  const changed = new Set(result?.users.map(({ id }) => id));
  return { request, result, administrators: administrators.filter((id) => changed.has(id)) };
}

export const isTooLarge = (error: unknown): boolean =>
  isServiceError(error) && error.code === 'request.too_large_to_represent';

/** The first of them: there are few. */
async function activeAdministrators(signal: AbortSignal): Promise<string[]> {
  const list = service.users.list({ type: 'administrator', status: 'active', limit: 200 }, { signal });
  const { value } = await list.pages().next();
  return (value?.items ?? []).map(({ id }) => id);
}

/** Makes a change as it was previewed: whatever is refused since is refused as a whole, unless something was already. */
export function make(
  { request, result }: Preview,
  reason: string | undefined,
  id: string,
): Promise<Result | undefined> {
  const { kind, body } = request;
  const lenient = (result?.refused.length ?? 0) > 0;
  const sent = { kind, body: { ...body, ...(reason && { reason }) } } as ChangeRequest;
  return send(sent, { representation: result !== undefined, lenient, ...keyed(id) });
}
