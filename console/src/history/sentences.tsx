import type { ComponentChildren, VNode } from 'preact';
import type { JournalEntry } from '@user-administration/client';
import { language, type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Time, whenText } from '../language/time.tsx';
import { TYPES as TYPE_NAMES } from '../records/fields.ts';
import { isOfEnd, placesIn } from './acts.ts';
import { EndThatCame } from './end-that-came.tsx';
import { Icon } from '../ui/icon.tsx';
import { after, before, cutOf, type Facts, listOf, textOf, timeOf } from './facts.ts';
import { Group, listed, Setup, Subject } from './subjects.tsx';

type Tell = (entry: JournalEntry, actor: VNode) => VNode;

/** The sentence of each action. */
export const SENTENCES: Readonly<Record<JournalEntry['action'], Tell>> = {
  'user.workspaces.assigned': (entry, actor) =>
    rich('history.assigned', { actor, user: user(entry), places: places(placesIn(entry)) }),
  'user.workspaces.unassigned': (entry, actor) =>
    isOfEnd(entry) ? (
      <EndThatCame entry={entry} user={user(entry)} places={places(placesIn(entry))} />
    ) : (
      rich('history.unassigned', { actor, user: user(entry), places: places(placesIn(entry)) })
    ),
  'user.workspaces.extended': endsChanged,
  'user.workspaces.shortened': endsChanged,
  'user.type.changed': (entry, actor) =>
    rich(oneOf(TYPES, textOf(after(entry), 'type')), {
      actor,
      user: user(entry),
      before: typeName(textOf(before(entry), 'type')),
    }),
  'user.status.changed': (entry, actor) =>
    isOfEnd(entry) ? (
      <EndThatCame entry={entry} user={user(entry)} />
    ) : (
      rich(oneOf(STATUSES, textOf(after(entry), 'status')), { actor, user: user(entry) })
    ),
  'user.status_token.minted': (entry, actor) =>
    rich(oneOf(LINKS, textOf(after(entry), 'status')), {
      actor,
      user: user(entry),
      time: <Time at={textOf(after(entry), 'expiresAt') ?? entry.at} exact />,
    }),
  'user.permissions.changed': (entry, actor) => permissions(entry, actor, user(entry)),
  'workspace.permissions.changed': (entry, actor) => permissions(entry, actor, workspace(entry)),
  'group.permissions.changed': (entry, actor) => permissions(entry, actor, group(entry)),
  'user.created': (entry, actor) => rich('history.user.created', { actor, user: user(entry) }),
  'user.updated': userUpdated,
  'user.deleted': (entry, actor) => rich('history.user.deleted', { actor, user: user(entry) }),
  'user.renamed': (entry, actor) => {
    const [from, to] = [textOf(before(entry), 'id'), textOf(after(entry), 'id')];
    return rich('history.user.renamed', {
      actor,
      user: <Subject kind="user" id={to ?? entry.user ?? ''} />,
      before: from,
      after: to,
    });
  },
  'user.erased': (entry, actor) => rich('history.user.erased', { actor, user: user(entry) }),
  'workspace.created': (entry, actor) => rich('history.workspace.created', { actor, place: workspace(entry) }),
  'workspace.updated': (entry, actor) => renamed(entry, actor, workspace(entry), 'name'),
  'workspace.deleted': (entry, actor) => rich('history.workspace.deleted', { actor, place: workspace(entry) }),
  'group.created': (entry, actor) => rich('history.group.created', { actor, place: group(entry) }),
  'group.updated': (entry, actor) => renamed(entry, actor, group(entry), 'name'),
  'group.deleted': (entry, actor) => rich('history.group.deleted', { actor, place: group(entry) }),
  'permission.created': (entry, actor) =>
    rich('history.permission.created', {
      actor,
      permission: permission(entry),
      type: typeName(textOf(after(entry), 'grants')),
    }),
  'permission.updated': permissionUpdated,
  'permission.deleted': (entry, actor) => rich('history.permission.deleted', { actor, permission: permission(entry) }),
  'directory.imported': imported,
  'webhook.created': (entry, actor) => rich('history.webhook.created', { actor, webhook: webhook(entry) }),
  'webhook.updated': webhookUpdated,
  'webhook.deleted': (entry, actor) => rich('history.webhook.deleted', { actor, webhook: webhook(entry) }),
  'scim_connection.created': (entry, actor) => rich('history.connection.created', { actor, name: connection(entry) }),
  'scim_connection.updated': (entry, actor) =>
    rich(after(entry).tokenRotated === true ? 'history.connection.renewed' : 'history.connection.updated', {
      actor,
      name: connection(entry),
    }),
  'scim_connection.deleted': (entry, actor) => rich('history.connection.deleted', { actor, name: connection(entry) }),
};

const TYPES = {
  guest: 'history.type.guest',
  member: 'history.type.member',
  manager: 'history.type.manager',
  administrator: 'history.type.administrator',
} as const;
const STATUSES = { active: 'history.status.active', inactive: 'history.status.inactive' } as const;
const LINKS = { active: 'history.link.active', inactive: 'history.link.inactive' } as const;
/** Stands where there is nothing: an empty name, or a fact that was erased. */
const NOTHING = '–';

function oneOf(keys: Readonly<Record<string, MessageKey>>, fact = ''): MessageKey {
  return keys[fact] ?? 'history.user.updated';
}

function typeName(type = ''): string {
  return type in TYPE_NAMES ? t(TYPE_NAMES[type as keyof typeof TYPE_NAMES]) : type || NOTHING;
}

/** What the entry knows of a subject that may be gone by now. */
const nameIn = (entry: JournalEntry, field: string): string | undefined =>
  textOf(after(entry), field) ?? textOf(before(entry), field);

export function user(entry: JournalEntry): VNode {
  return <Subject kind="user" id={entry.user ?? ''} label={nameIn(entry, 'displayName')} />;
}

function workspace(entry: JournalEntry): VNode {
  return <Subject kind="workspace" id={entry.workspaces[0] ?? ''} label={nameIn(entry, 'name')} />;
}

function group(entry: JournalEntry): VNode {
  return <Group id={nameIn(entry, 'group') ?? ''} label={nameIn(entry, 'name')} workspace={entry.workspaces[0]} />;
}

const permissionLinks = (ids: readonly string[]): VNode[] => ids.map((id) => <Subject kind="permission" id={id} />);

const permission = (entry: JournalEntry): VNode => <Subject kind="permission" id={nameIn(entry, 'permission') ?? ''} />;

const webhook = (entry: JournalEntry): VNode => (
  <Setup kind="webhook" id={nameIn(entry, 'webhook') ?? ''} label={nameIn(entry, 'url')} />
);

const connection = (entry: JournalEntry): VNode => (
  <Setup kind="connection" id={nameIn(entry, 'connection') ?? ''} label={nameIn(entry, 'name')} />
);

const COUNTED = ['created', 'changed'] as const;
const COUNTS = {
  created: 'history.imported.created',
  changed: 'history.imported.changed',
  deactivated: 'history.imported.suspended',
} as const;

/** "Ada imported hr.csv: 200 new, 10 changed, 689 suspended". */
function imported(entry: JournalEntry, actor: VNode): VNode {
  const facts = after(entry);
  const name = textOf(facts, 'name');
  const sum = (fact: unknown) =>
    Object.values(Object(fact) as object).reduce((all: number, each) => all + Number(each), 0);
  const counts = [
    ...COUNTED.map((what) => [what, sum(facts[what])] as const),
    ['deactivated', Number(facts.deactivated ?? 0)] as const,
  ].filter(([, count]) => count > 0);
  return (
    <>
      {name === undefined ? rich('history.imported_unnamed', { actor }) : rich('history.imported', { actor, name })}
      {counts.length > 0 && ': '}
      {new Intl.ListFormat(language, { type: 'unit' }).format(
        counts.map(([what, count]) => t(COUNTS[what], { number: count })),
      )}
    </>
  );
}

export function places(facts: Facts): ComponentChildren {
  const workspaces = listOf(facts, 'workspaces').map((id) => marked('workspace', <Subject kind="workspace" id={id} />));
  const groups = listOf(facts, 'groups').map((id) => marked('group', <Group id={id} />));
  return listed([...workspaces, ...groups], cutOf(facts));
}

/** With a picture of its kind, where kinds stand side by side. No blank between: sentences are saved as text, too. */
const marked = (kind: 'workspace' | 'group', place: VNode): VNode => (
  <span class="marked">
    <Icon name={kind} />
    {place}
  </span>
);

function endsChanged(entry: JournalEntry, actor: VNode): VNode {
  return rich('history.ends', { actor, user: user(entry), places: places(placesIn(entry)) });
}

function permissions(entry: JournalEntry, actor: VNode, holder: VNode): VNode {
  const [old, now] = [listOf(before(entry), 'permissions'), listOf(after(entry), 'permissions')];
  const given = now.filter((id) => !old.includes(id));
  const taken = old.filter((id) => !now.includes(id));
  const values = { actor, holder, given: listed(permissionLinks(given)), taken: listed(permissionLinks(taken)) };
  if (taken.length === 0) return rich('history.permissions.given', { ...values, count: given.length });
  if (given.length === 0) return rich('history.permissions.taken', { ...values, count: taken.length });
  return rich('history.permissions.changed', values);
}

function renamed(entry: JournalEntry, actor: VNode, subject: VNode, field: string): VNode {
  return rich('history.name', {
    actor,
    subject,
    before: textOf(before(entry), field) ?? NOTHING,
    after: textOf(after(entry), field) ?? NOTHING,
  });
}

function userUpdated(entry: JournalEntry, actor: VNode): VNode {
  const facts = after(entry);
  const values = { actor, user: user(entry), name: textOf(facts, 'displayName') ?? NOTHING };
  const email = textOf(facts, 'email') ?? NOTHING;
  if ('displayName' in facts && 'email' in facts) return rich('history.user.name_and_email', { ...values, email });
  if ('displayName' in facts) return renamed(entry, actor, values.user, 'displayName');
  if ('email' in facts)
    return rich('history.user.email', { ...values, before: textOf(before(entry), 'email') ?? NOTHING, after: email });
  if ('permissions' in facts) return rich('history.user.permissions', values);
  if (!('activeUntil' in facts)) return rich('history.user.updated', values);
  const end = timeOf(facts, 'activeUntil');
  return end ? rich('history.user.ends', { ...values, day: whenText(end) }) : rich('history.user.endless', values);
}

function permissionUpdated(entry: JournalEntry, actor: VNode): VNode {
  const [old, now] = [before(entry), after(entry)];
  const values = { actor, permission: permission(entry) };
  if ('grants' in now)
    return rich('history.permission.grants', {
      ...values,
      before: typeName(textOf(old, 'grants')),
      after: typeName(textOf(now, 'grants')),
    });
  return rich('history.permission.updated', { ...values, description: textOf(now, 'description') ?? NOTHING });
}

function webhookUpdated(entry: JournalEntry, actor: VNode): VNode {
  const [old, now] = [before(entry), after(entry)];
  const values = { actor, webhook: webhook(entry) };
  if (now.secretRotated === true) return rich('history.webhook.renewed', values);
  if (now.enabled !== old.enabled)
    return rich(now.enabled === true ? 'history.webhook.enabled' : 'history.webhook.disabled', values);
  return rich('history.webhook.updated', values);
}
