import type { AccessFilter, AccessLine, Page } from '@user-administration/client';
import { learnNames } from '../names.ts';
import type { Place } from '../places/place-label.tsx';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';

/** No end is later. */
const EVER = '9999-12-31T00:00:00Z';
/** Of `id` in one request. */
const AT_ONCE = 100;
/** So many people are put in order by their ends. */
const MOST = 2_000;

/** The end of an account, or of a membership in a place. */
export interface End {
  place?: Place;
  until: string;
}

type Source<Kind> = Extract<AccessLine['source'], { kind: Kind }>;

/** A person with what ends, the nearest first. */
export type EndingPerson = AccessLine['user'] & { ends: readonly End[] };

/** The people of whom something ends before a time, in the order of what ends first, from one answer of the register. */
export async function endingPeople(
  filter: AccessFilter & { endsBefore: string },
  signal: AbortSignal,
): Promise<{ people: EndingPerson[]; isWhole: boolean }> {
  const found = new Map<string, AccessLine['user'] & { ends: End[] }>();
  const isBefore = (at: string | null): at is string => at !== null && Date.parse(at) < Date.parse(filter.endsBefore);
  const places = { workspace: [] as Source<'workspace'>[], group: [] as Source<'group'>[] };
  let isWhole = true;
  for await (const { user, source, until } of service.access(filter, { signal })) {
    const known = found.get(user.id);
    if (!known && found.size === MOST) {
      isWhole = false;
      break;
    }
    const person = known ?? { ...user, ends: isBefore(user.activeUntil) ? [{ until: user.activeUntil }] : [] };
    found.set(user.id, person);
    if (!source || source.kind === 'direct' || !isBefore(until)) continue;
    if (source.kind === 'group') places.group.push(source);
    else places.workspace.push(source);
    const { kind, id } = source;
    const place: Place = kind === 'group' ? { kind, id, workspace: source.workspace } : { kind, id };
    // A group that ends with its workspace needs no word of its own.
    if (!person.ends.some((end) => end.place?.id === place.workspace && end.until === until))
      person.ends.push({ place, until });
  }
  learnNames('user', [...found.values()]);
  learnNames('workspace', places.workspace);
  learnNames('group', places.group);
  const nearestFirst = (one: End | undefined, other: End | undefined) =>
    Date.parse(one?.until ?? EVER) - Date.parse(other?.until ?? EVER);
  for (const { ends } of found.values()) ends.sort(nearestFirst);
  const people = [...found.values()].filter(({ ends }) => ends.length > 0);
  return { people: people.sort((one, other) => nearestFirst(one.ends[0], other.ends[0])), isWhole };
}

/** The same as a list in pages. */
export async function* pagesOfEnding(
  filter: AccessFilter & { endsBefore: string },
  size: number,
  signal: AbortSignal,
): AsyncGenerator<Page<EndingPerson>, void, undefined> {
  const { people, isWhole } = await endingPeople(filter, signal);
  const total = { count: people.length, exact: isWhole };
  let from = 0;
  do {
    const items = people.slice(from, (from += size));
    yield { items, next: from < people.length ? String(from) : null, total };
  } while (from < people.length);
}

/** Tells what ends of these people, the nearest first. Of the first hundred. */
export function useEnds(people: readonly { id: string }[] = []): (id: string) => readonly End[] {
  const ids = people.slice(0, AT_ONCE).map(({ id }) => id);
  const { value } = useLoaded(
    async (signal) => {
      if (ids.length === 0) return undefined;
      const ending = await endingPeople({ id: ids, endsBefore: EVER }, signal);
      return new Map(ending.people.map(({ id, ends }) => [id, ends] as const));
    },
    [ids.join('\n')],
  );
  return (id) => value?.get(id) ?? [];
}
