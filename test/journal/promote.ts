import type { DataSource, EntityManager } from 'typeorm';
import type { NewEntry } from '../../src/journal/new-entry';
import { Journal } from '../../src/journal/journal';
import { asJudged } from '../support/as-judged';

/** Ada changes the type of each of these users, in one transaction or in a part of one. */
export function promote(within: DataSource | EntityManager, users: readonly string[]): Promise<void> {
  const entries = users.map((user): NewEntry => {
    return { action: 'user.type.changed', user, before: { type: 'guest' }, after: { type: 'member' } };
  });
  return within.transaction((manager) =>
    new Journal().append(manager, asJudged({ actor: { kind: 'user', id: 'ada' } }), entries),
  );
}
