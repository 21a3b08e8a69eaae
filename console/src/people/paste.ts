import type { User } from '@user-administration/client';
import { service } from '../service.ts';

/** So many addresses or ids are found at once. */
export const MOST_LISTED = 1_000;
/** Of `email` and of `id` in one request. */
const AT_ONCE = 100;

/** Finds people by their addresses or ids, a hundred at a time. */
export async function findListed(
  listed: readonly string[],
  signal: AbortSignal,
): Promise<{ people: User[]; missing: string[] }> {
  const people = new Map<string, User>();
  const missing: string[] = [];
  for (let from = 0; from < listed.length; from += AT_ONCE) {
    const some = listed.slice(from, from + AT_ONCE);
    const emails = some.filter((each) => each.includes('@'));
    const [byId, byEmail] = await Promise.all([
      service.users.list({ id: some, limit: AT_ONCE }, { signal }).all(),
      emails.length > 0 ? service.users.list({ email: emails, limit: AT_ONCE }, { signal }).all() : [],
    ]);
    const ids = new Set(byId.map(({ id }) => id));
    const addresses = new Set(byEmail.map(({ email }) => fold(email ?? '')));
    for (const person of [...byId, ...byEmail]) people.set(person.id, person);
    missing.push(...some.filter((each) => !ids.has(each) && !addresses.has(fold(each))));
  }
  return { people: [...people.values()], missing };
}

/** As the service compares addresses, near enough: it has found them already. */
const fold = (email: string): string => email.normalize('NFC').toLowerCase();
