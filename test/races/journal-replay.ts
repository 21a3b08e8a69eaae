/** An entry of the journal, as a replay needs it. */
export interface Entry {
  user: string;
  action: string;
  before: Facts | null;
  after: Facts | null;
}

interface Facts {
  workspaces?: string[];
  groups?: string[];
  type?: string;
  status?: string;
}

export interface ReplayedUser {
  id: string;
  type: string;
  status: string;
  /** Workspaces and groups. */
  places: Set<string>;
}

const placesOf = (facts: Facts | null) => [...(facts?.workspaces ?? []), ...(facts?.groups ?? [])];

/**
 * What the entries make of a directory in which nothing had been: the users who are left. Each entry must fit on what those
 * before it left, so an entry that is missing, doubled or out of order is found.
 *
 * @param known users who were there before the first entry, nowhere and as guests
 */
export function replay(entries: readonly Entry[], known: readonly string[] = []): ReplayedUser[] {
  const users = new Map<string, ReplayedUser>(known.map((id) => [id, newUser(id)]));
  for (const { user: id, action, before, after } of entries) {
    const user = action === 'user.created' ? newUser(id, after) : users.get(id);
    if (!user || (action === 'user.created' && users.has(id))) throw new Error(`${action} of ${id}, out of order`);
    users.set(id, user);
    if (action === 'user.type.changed') {
      expect(before?.type).toBe(user.type);
      user.type = after?.type ?? '';
    } else if (action === 'user.status.changed') {
      expect(before?.status).toBe(user.status);
      user.status = after?.status ?? '';
    } else if (action === 'user.deleted') {
      expect(new Set(placesOf(before))).toEqual(user.places);
      expect(before?.status).toBe(user.status);
      users.delete(id);
    } else if (/^user\.workspaces\./.test(action)) {
      for (const place of placesOf(before)) expect(user.places.delete(place)).toBe(true);
      for (const place of placesOf(after)) {
        expect(user.places.has(place)).toBe(false);
        user.places.add(place);
      }
    }
  }
  return [...users.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function newUser(id: string, facts: Facts | null = null): ReplayedUser {
  return { id, type: 'guest', status: facts?.status ?? 'active', places: new Set(placesOf(facts)) };
}
