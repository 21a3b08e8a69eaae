import type { User } from '@user-administration/client';
import { placesOf } from '../places/find-places.ts';
import type { Place } from '../places/place-label.tsx';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';

/** No end is later. */
const EVER = '9999-12-31T00:00:00Z';
/** Of `id` in one request. */
const AT_ONCE = 100;

export type End = Place & { until: string };

/** Tells which memberships of these people end, the nearest first. Of the first hundred, those are asked for who have such. */
export function useEnds(people: readonly User[] = []): (id: string) => End[] {
  const ids = people.slice(0, AT_ONCE).map(({ id }) => id);
  const { value } = useLoaded(
    async (signal) => {
      if (ids.length === 0) return undefined;
      const ending = await service.users.list({ id: ids, endsBefore: EVER, limit: AT_ONCE }, { signal }).all();
      return new Map(await Promise.all(ending.map(async ({ id }) => [id, await endsOf(id, signal)] as const)));
    },
    [ids.join('\n')],
  );
  return (id) => value?.get(id) ?? [];
}

async function endsOf(id: string, signal: AbortSignal): Promise<End[]> {
  const places = await placesOf([id], signal);
  const ends = places.filter((place): place is End => place.until !== undefined);
  return ends.sort((one, other) => Date.parse(one.until) - Date.parse(other.until));
}
