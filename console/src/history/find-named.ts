import { learnNames, nameOf } from '../names.ts';
import { firstOf } from '../places/find-places.ts';
import { service } from '../service.ts';

const SHOWN = 8;

export interface Found {
  id: string;
  label: string;
}

/** The first people or workspaces that a search finds. Without them, an id can still be typed. */
export async function findNamed(kind: 'user' | 'workspace', search: string, signal: AbortSignal): Promise<Found[]> {
  const wanted = { search, limit: SHOWN };
  const found: { id: string }[] = await (kind === 'user'
    ? firstOf(service.users.list(wanted, { signal }))
    : firstOf(service.workspaces.list(wanted, { signal })));
  learnNames(kind, found);
  return found.map((item) => ({ id: item.id, label: nameOf(item) }));
}
