import type { JournalEntry } from '@user-administration/client';
import type { MessageKey } from '../language/language.ts';
import type { IconName } from '../ui/icon.tsx';

export type JournalAction = JournalEntry['action'];

/** What each action is called where one chooses. */
export const KINDS: Readonly<Record<JournalAction, MessageKey>> = {
  'user.workspaces.assigned': 'history.kind.assigned',
  'user.workspaces.unassigned': 'history.kind.unassigned',
  'user.workspaces.extended': 'history.kind.extended',
  'user.workspaces.shortened': 'history.kind.shortened',
  'user.type.changed': 'history.kind.type',
  'user.status.changed': 'history.kind.status',
  'user.status_token.minted': 'history.kind.link',
  'user.permissions.changed': 'history.kind.user_permissions',
  'user.created': 'history.kind.user_created',
  'user.updated': 'history.kind.user_updated',
  'user.deleted': 'history.kind.user_deleted',
  'user.renamed': 'history.kind.user_renamed',
  'user.erased': 'history.kind.user_erased',
  'workspace.created': 'history.kind.workspace_created',
  'workspace.updated': 'history.kind.workspace_updated',
  'workspace.deleted': 'history.kind.workspace_deleted',
  'workspace.permissions.changed': 'history.kind.workspace_permissions',
  'group.created': 'history.kind.group_created',
  'group.updated': 'history.kind.group_updated',
  'group.deleted': 'history.kind.group_deleted',
  'group.permissions.changed': 'history.kind.group_permissions',
  'permission.created': 'history.kind.permission_created',
  'permission.updated': 'history.kind.permission_updated',
  'permission.deleted': 'history.kind.permission_deleted',
  'directory.imported': 'history.kind.imported',
  'webhook.created': 'history.kind.webhook_created',
  'webhook.updated': 'history.kind.webhook_updated',
  'webhook.deleted': 'history.kind.webhook_deleted',
  'scim_connection.created': 'history.kind.connection_created',
  'scim_connection.updated': 'history.kind.connection_updated',
  'scim_connection.deleted': 'history.kind.connection_deleted',
};

/** The picture beside an entry, by the end of its action. */
const ICONS: Readonly<Record<string, IconName>> = {
  unassigned: 'out',
  assigned: 'in',
  'user.type.changed': 'type',
  'user.status_token.minted': 'link',
  'permissions.changed': 'permission',
  created: 'add',
  updated: 'edit',
  renamed: 'edit',
  deleted: 'remove',
  erased: 'remove',
  imported: 'add',
};

export function iconOf({ action, after }: JournalEntry): IconName {
  if (action === 'user.status.changed') return after?.status === 'active' ? 'activate' : 'suspend';
  const end = Object.keys(ICONS).find((end) => action.endsWith(end));
  return end === undefined ? 'edit' : (ICONS[end] as IconName);
}

export const ACTIONS = Object.keys(KINDS) as JournalAction[];

export const isAction = (text: string): text is JournalAction => Object.hasOwn(KINDS, text);
