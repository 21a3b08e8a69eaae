import type { Pages } from '@user-administration/client';
import { learnNames } from '../names.ts';
import { service } from '../service.ts';
import { isServiceError } from '../service-errors.ts';
import { type Place, placeText } from './place-label.tsx';

const SHOWN = 8;
/** Characters of a search, at most. */
const SEARCH = 100;

/** The first workspaces and groups that a search finds. */
export async function findPlaces(text: string, kinds: readonly Place['kind'][], signal: AbortSignal): Promise<Place[]> {
  const search = [...text.trim()].slice(0, SEARCH).join('') || undefined;
  const filter = { search, limit: SHOWN };
  const [workspaces = [], groups = []] = await Promise.all([
    kinds.includes('workspace') ? firstOf(service.workspaces.list(filter, { signal })) : undefined,
    kinds.includes('group') ? firstOf(service.groups.list(filter, { signal })) : undefined,
  ]);
  learnNames('workspace', workspaces);
  learnNames('group', groups);
  return [
    ...workspaces.map(({ id }): Place => ({ kind: 'workspace', id })),
    ...groups.map(({ id, workspace }): Place => ({ kind: 'group', id, workspace })),
  ];
}

/** The first page that holds something. The service may answer an empty one where it looked at much and found nothing. */
export async function firstOf<Item>(list: Pages<Item>): Promise<Item[]> {
  for await (const { items } of list.pages()) if (items.length > 0) return items;
  return [];
}

/** The places of these whose name or id has the text. */
export function matching(places: readonly Place[], text: string, kinds: readonly Place['kind'][]): Place[] {
  const wanted = text.trim().toLocaleLowerCase();
  return places.filter(
    (place) => kinds.includes(place.kind) && `${placeText(place)} ${place.id}`.toLocaleLowerCase().includes(wanted),
  );
}

/** The places in which at least one of these people is, with the end of a membership. Somebody who is gone is in none. */
export async function placesOf(
  userIds: readonly string[],
  signal: AbortSignal,
): Promise<(Place & { until?: string | undefined })[]> {
  const places = new Map<string, Place & { until?: string | undefined }>();
  const all = await Promise.all(userIds.map((id) => membershipsOf(id, signal)));
  for (const { workspace, groups } of all.flat()) {
    learnNames('workspace', [workspace]);
    learnNames(
      'group',
      groups.map((group) => ({ ...group, workspace: workspace.id })),
    );
    places.set(`workspace ${workspace.id}`, { kind: 'workspace', id: workspace.id, until: workspace.until });
    for (const { id, until } of groups)
      places.set(`group ${id}`, { kind: 'group', id, workspace: workspace.id, until });
  }
  return [...places.values()];
}

async function membershipsOf(id: string, signal: AbortSignal) {
  try {
    return await service.users.memberships(id, { signal }).all();
  } catch (error) {
    if (isServiceError(error) && error.status === 404) return [];
    throw error;
  }
}
