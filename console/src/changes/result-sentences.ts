import type { UserType } from '@user-administration/client';
import type { MessageKey } from '../language/language.ts';
import type { Place } from '../places/place-label.tsx';
import type { ChangeKind, Result } from './change.ts';

/** A sentence about a result. */
export interface Line {
  key: MessageKey;
  count: number;
  who?: string[];
  where?: Place;
  /** When memberships end now; null: not any more. */
  until?: string | null;
  /** Somebody loses what they would miss. */
  isLoud?: boolean;
}

/** What happens to the places of a result. */
export type Direction = 'joins' | 'leaves' | 'moves';

const SHOWN_PLACES = 8;
const TYPES: readonly UserType[] = ['administrator', 'manager', 'member', 'guest'];
const DIRECTIONS: Partial<Record<ChangeKind | 'undo', Direction>> = { add: 'joins', remove: 'leaves' };

/** A result in sentences. */
export function linesOf(
  kind: ChangeKind | 'undo',
  { users, unchanged, refused }: Result,
  direction: Direction = DIRECTIONS[kind] ?? 'moves',
  administrators: readonly string[] = [],
  until = '',
): Line[] {
  const lines: Line[] = [];
  const add = (key: MessageKey, count: number, rest?: Omit<Line, 'key' | 'count'>) => {
    if (count > 0) lines.push({ key, count, ...rest });
  };
  const places = countPlaces(users);
  for (const { where, count } of places.slice(0, SHOWN_PLACES)) add(`change.${direction}`, count, { where });
  add('change.more_places', places.length - SHOWN_PLACES);
  for (const [until, who] of endsOf(users, direction)) add('change.ends', who.length, { who, until });
  for (const status of ['active', 'inactive'] as const)
    add(`change.becomes.${status}`, users.filter((user) => user.status?.after === status).length);
  for (const type of TYPES) {
    const who = idsOf(users.filter((user) => user.type?.after === type));
    add(`change.becomes.${type}`, who.length, { who });
  }
  const losers = [...administrators, ...idsOf(users.filter((user) => user.type?.before === 'administrator'))];
  add('change.loses', losers.length, { who: losers, isLoud: true });
  if (kind === 'undo') add('undo.unchanged', unchanged);
  else add(kind === 'remove' && until ? 'change.remove.unchanged_until' : `change.${kind}.unchanged`, unchanged);
  const gone = refused.filter(({ pointer }) => pointer.startsWith('/userIds/'));
  add('change.refused.people', gone.length, { who: idsOf(gone), isLoud: true });
  const goneElsewhere = refused.filter((id) => !gone.includes(id));
  add('change.refused.places', goneElsewhere.length, { who: idsOf(goneElsewhere), isLoud: true });
  return lines;
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** How many people join or leave each place: workspaces first, then groups. */
function countPlaces(users: Result['users']): { where: Place; count: number }[] {
  const counts = { workspace: new Map<string, number>(), group: new Map<string, number>() };
  for (const { workspaces = [], groups = [] } of users) {
    for (const id of workspaces) counts.workspace.set(id, (counts.workspace.get(id) ?? 0) + 1);
    for (const id of groups) counts.group.set(id, (counts.group.get(id) ?? 0) + 1);
  }
  return (['workspace', 'group'] as const).flatMap((kind) =>
    [...counts[kind]].map(([id, count]) => ({ where: { kind, id }, count })),
  );
}

/** Who has memberships that end then. What is left has no end to be told. */
function endsOf(users: Result['users'], direction: Direction): Map<string | null, string[]> {
  const who = new Map<string | null, string[]>();
  for (const { id, until, ...user } of users) {
    const ends = (['workspaces', 'groups'] as const).flatMap((kind) =>
      Object.entries(until?.[kind] ?? {}).flatMap(([place, at]) =>
        direction === 'leaves' && user[kind]?.includes(place) ? [] : [at],
      ),
    );
    for (const at of new Set(ends)) who.set(at, [...(who.get(at) ?? []), id]);
  }
  return who;
}

/** Whether somebody loses what is needed to use this page. */
export const concerns = (id: string, { users }: Result): boolean =>
  users.some((user) => user.id === id && (user.status?.after === 'inactive' || user.type?.before === 'administrator'));
