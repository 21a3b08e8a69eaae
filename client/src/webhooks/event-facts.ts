import type { User, UserStatus, UserType } from '../types/directory.ts';

/** The fields of `data.before` and `data.after` for each type of event. */
export interface EventFacts {
  /** The workspaces and groups that the user was added to, in `after`. `before` is null. */
  'user.workspaces.assigned': Places;
  /** The workspaces and groups that the user was removed from, in `before`. `after` is null. */
  'user.workspaces.unassigned': Places;
  /** The ends of memberships that now end later or never. */
  'user.workspaces.extended': Ends;
  /** The ends of memberships that now end earlier. */
  'user.workspaces.shortened': Ends;
  'user.type.changed': { type: UserType };
  'user.status.changed': { status: UserStatus };
  /** The status that the token can set, and its expiry. `before` is null. */
  'user.status_token.minted': { status: UserStatus; expiresAt: string };
  /** The permissions that are assigned directly. */
  'user.permissions.changed': { permissions: string[] };
  'workspace.permissions.changed': { permissions: string[] };
  'group.permissions.changed': { group: string; permissions: string[] };
  /** All fields, in `after`. */
  'user.created': UserFacts;
  /** Only the changed fields. */
  'user.updated': Partial<Omit<UserFacts, 'status'>>;
  /** All fields, in `before`. */
  'user.deleted': UserFacts;
  'user.renamed': { id: string };
  /** It has no facts: email, display name and reasons were removed from earlier entries. */
  'user.erased': Record<string, never>;
  'workspace.created': { name: string };
  'workspace.updated': { name: string };
  'workspace.deleted': { name: string; permissions: string[] } & CutFacts;
  'group.created': { group: string; name: string };
  'group.updated': { group: string; name: string };
  'group.deleted': { group: string; name: string; permissions: string[] } & CutFacts;
  'permission.created': PermissionFacts;
  /** Only the changed fields, and the id of the permission. */
  'permission.updated': { permission: string } & Partial<PermissionFacts>;
  'permission.deleted': PermissionFacts;
  /** The first event of an import that changed anything, in `after`. It has no subject. */
  'directory.imported': ImportFacts;
}

/** Events without a state before, without one after, and without either. All others have both. */
type Beginning = `${string}.created` | 'user.workspaces.assigned' | 'user.status_token.minted' | 'directory.imported';
type Ending = `${string}.deleted` | 'user.workspaces.unassigned';
type Silent = 'user.erased';

/** The facts before and after, for each action that has some. A type that this version does not know can have any. */
export interface StatesOf<Facts, Type> {
  before: Type extends keyof Facts ? (Type extends Beginning | Silent ? null : Facts[Type]) : AnyFacts;
  after: Type extends keyof Facts ? (Type extends Ending | Silent ? null : Facts[Type]) : AnyFacts;
}

type AnyFacts = Record<string, unknown> | null;

interface ImportFacts {
  /** The name of the file, if it has one. */
  name: string | null;
  created: RecordCounts;
  changed: RecordCounts;
  /** Users, who are not counted as changed as well. */
  deactivated: number;
}

type RecordCounts = Record<'users' | 'workspaces' | 'groups' | 'permissions', number>;

/** Ends of memberships, by the ids of workspaces and groups: ISO 8601 in UTC; null where there is none. */
export interface Ends {
  workspaces: Record<string, string | null>;
  groups: Record<string, string | null>;
}

interface Places {
  workspaces: string[];
  groups: string[];
  /** Only if a membership has an end. */
  until?: Ends;
}

/** An event has at most 1,000 ids in its lists. `more` is the number of those that were cut. */
interface CutFacts {
  more?: number;
}

type AlwaysFacts = Pick<User, 'email' | 'displayName' | 'status'>;
type OtherFacts = Partial<Omit<User, 'id' | 'type' | 'createdAt' | 'updatedAt' | keyof AlwaysFacts>>;

/** The other facts, such as `activeUntil`, only if there is one, or if it changed. */
interface UserFacts extends CutFacts, AlwaysFacts, OtherFacts {
  permissions: string[];
  workspaces: string[];
  groups: string[];
  /** Only if a membership has an end. */
  until?: Ends;
}

interface PermissionFacts {
  permission: string;
  description: string | null;
  grants: UserType;
}
