import type { UserStatus, UserType } from './directory';
import type { Actor } from './journal';

/** What gives access: a permission given directly, a workspace or a group. */
export interface AccessSource {
  kind: 'direct' | 'workspace' | 'group';
  /** Of a workspace or group. */
  id?: string;
  name?: string;
  /** The id of the workspace of a group. */
  workspace?: string;
}

/** A line of the register: one user and one source of access. */
export interface AccessLine {
  user: {
    id: string;
    email: string | null;
    displayName: string | null;
    type: UserType;
    status: UserStatus;
    activeUntil: string | null;
  };
  /** Null for a user without any, who has one line. */
  source: AccessSource | null;
  /** The ids of the permissions that the source gives, in order. */
  permissions: string[];
  since: string | null;
  until: string | null;
  actor: Actor | null;
  reason: string | null;
}

/** The columns of the register in CSV. */
export const ACCESS_COLUMNS = [
  ...['user', 'email', 'displayName', 'type', 'status', 'activeUntil'],
  ...['source', 'sourceId', 'sourceName', 'workspace', 'permissions', 'since', 'until', 'actorKind', 'actor', 'reason'],
];

/** The cells of a line, in the order of {@link ACCESS_COLUMNS}. */
export function accessCells({ user, source, permissions, since, until, actor, reason }: AccessLine) {
  return [
    ...[user.id, user.email, user.displayName, user.type, user.status, user.activeUntil],
    ...[source?.kind, source?.id, source?.name, source?.kind === 'workspace' ? source.id : source?.workspace],
    ...[permissions.join('|'), since, until, actor?.kind, actor?.id, reason],
  ];
}
