import type { JournalEntry } from '@user-administration/client';
import { service } from './service.ts';
import { session } from './session/session.ts';

/** The newest entries that are looked at: one of this page's own requests is among them. */
const LOOKED_AT = 200;

/** The entry that a request of this page has written; undefined if it has changed nothing. @param user a user whom it concerns */
export async function entryOfRequest(requestId: string, user?: string): Promise<JournalEntry | undefined> {
  const state = session.get();
  const actor = state.kind === 'signed_in' ? state.me.id : undefined;
  const filter = user === undefined ? { actor } : { user };
  const { value } = await service.journal
    .list({ ...filter, limit: LOOKED_AT })
    .pages()
    .next();
  const entries = value?.items.filter((entry) => entry.requestId === requestId) ?? [];
  return entries.find(({ action }) => action !== 'user.type.changed') ?? entries[0];
}
