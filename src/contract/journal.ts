import type { UserStatus, UserType } from './directory';
import type { FactsOf, FieldValues } from './record-fields';

/** The facts of each action in the journal: the same fields before and after, if they exist. */
export interface JournalFacts {
  /** The workspaces and groups that the user joined, only in `after`. */
  'user.workspaces.assigned': Places;
  /** The workspaces and groups that the user left, only in `before`. A membership that has ended has no end here. */
  'user.workspaces.unassigned': Places;
  /** The ends of memberships that now end later or never, before and after; null where there is none. */
  'user.workspaces.extended': Ends;
  /** The ends of memberships that now end earlier, before and after; null where there was none. */
  'user.workspaces.shortened': Ends;
  'user.type.changed': { type: UserType };
  'user.status.changed': { status: UserStatus };
  /** A permission for one change of the status, for the bearer of the token, only in `after`. */
  'user.status_token.minted': { status: UserStatus; expiresAt: string };
  /** The direct permissions. */
  'user.permissions.changed': { permissions: readonly string[] };
  'workspace.permissions.changed': { permissions: readonly string[] };
  'group.permissions.changed': { group: string; permissions: readonly string[] };
  /**
   * All fields, only in `after`. The type has an entry of its own, unless it is guest; so has what was cut from the
   * lists.
   */
  'user.created': UserFacts;
  /**
   * The changed fields but the status, which has an entry of its own. A file also names memberships and permissions
   * here, beside entries of their own.
   */
  'user.updated': Partial<Omit<UserFacts, 'status'>>;
  /** All fields, only in `before`. What was cut from the lists has entries of its own, which come before. */
  'user.deleted': UserFacts;
  /** The id, before and after. Its user is the one with the id before. */
  'user.renamed': { id: string };
  /** Email, display name and reasons were removed from earlier entries. It has no facts. */
  'user.erased': Record<string, never>;
  /** The permissions of a new workspace have an entry of their own. */
  'workspace.created': { name: string };
  'workspace.updated': { name: string };
  /** The losses of its members have entries of their own. */
  'workspace.deleted': { name: string; permissions: readonly string[] } & CutFacts;
  /** The permissions of a new group have an entry of their own. */
  'group.created': { group: string; name: string };
  'group.updated': { group: string; name: string };
  /** The losses of its members have entries of their own. */
  'group.deleted': { group: string; name: string; permissions: readonly string[] } & CutFacts;
  'permission.created': PermissionFacts;
  /** The changed fields, and the permission. */
  'permission.updated': { permission: string } & Partial<PermissionFacts>;
  /** The losses of its holders have entries of their own. */
  'permission.deleted': PermissionFacts;
}

/** Ends of memberships, by the ids of workspaces and groups: ISO 8601 in UTC. */
export interface Ends {
  workspaces: Readonly<Record<string, string | null>>;
  groups: Readonly<Record<string, string | null>>;
}

interface Places {
  workspaces: readonly string[];
  groups: readonly string[];
  /** Only if a membership has an end. */
  until?: Ends;
}

/** Facts whose lists are cut, because an entry has at most 1,000 ids in its lists. */
interface CutFacts {
  /** The number of ids that were cut. */
  more?: number;
}

/** The declared fields (times in UTC): those that are no `isAlwaysFact` only if they are set, or changed. */
interface UserFacts extends CutFacts, FactsOf<'user'> {
  permissions: readonly string[];
  workspaces: readonly string[];
  groups: readonly string[];
  /** Only if a membership has an end. */
  until?: Ends;
}

interface PermissionFacts extends FieldValues<'permission'> {
  permission: string;
}

/**
 * The actions of the service; those of plugins are text. Actions are never renamed or reused: stored entries contain
 * them, and callers branch on them.
 */
export type JournalAction = keyof JournalFacts;

/** The meaning of each action, for the OpenAPI document. */
export const JOURNAL_ACTION_SUMMARIES: Readonly<Record<JournalAction, string>> = {
  'user.workspaces.assigned': 'A user was assigned to workspaces or groups',
  'user.workspaces.unassigned': 'A user was unassigned from workspaces or groups',
  'user.workspaces.extended': 'Memberships of a user end later, or never',
  'user.workspaces.shortened': 'Memberships of a user end earlier',
  'user.type.changed': 'The type of a user was changed',
  'user.status.changed': 'A user was activated or deactivated',
  'user.status_token.minted': 'A status token was made for a user',
  'user.permissions.changed': 'The direct permissions of a user were changed',
  'workspace.permissions.changed': 'The permissions of a workspace were changed',
  'group.permissions.changed': 'The permissions of a group were changed',
  'user.created': 'A user was created',
  'user.updated': 'The fields of a user were changed',
  'user.deleted': 'A user was deleted',
  'user.renamed': 'A user got another id',
  'user.erased': 'The personal facts of a user were erased',
  'workspace.created': 'A workspace was created',
  'workspace.updated': 'The name of a workspace was changed',
  'workspace.deleted': 'A workspace was deleted',
  'group.created': 'A group was created',
  'group.updated': 'The name of a group was changed',
  'group.deleted': 'A group was deleted',
  'permission.created': 'A permission was created',
  'permission.updated': 'The fields of a permission were changed',
  'permission.deleted': 'A permission was deleted',
};
export const JOURNAL_ACTIONS = Object.keys(JOURNAL_ACTION_SUMMARIES) as readonly JournalAction[];

/**
 * The kinds of actors that the log knows. A `system` is the command line, or a job of the service. A `connection` is a
 * provider that keeps users: its entries are told whether or not the plugin that connects it is there.
 */
export const ACTOR_KINDS = ['user', 'service', 'system', 'connection'] as const;

/** Who made a change. */
export interface Actor {
  /** One of {@link ACTOR_KINDS}, or one that a plugin declares. */
  kind: (typeof ACTOR_KINDS)[number] | (string & {});
  /** The id of the user, the subject of the service's token, the name of the job, or the id of the connection. */
  id: string;
}

/** Carries out ends. Undo knows by it what nobody asked for. */
export const ENDS_ACTOR = { kind: 'system', id: 'user-admin expiry' } as const;
