import type { JournalEntry } from '@user-administration/client';
import { directoryChanged } from '../directory-version.ts';
import { t } from '../language/language.ts';
import { service } from '../service.ts';
import { keyed } from '../make-once.ts';
import { isUnsettled } from '../service-errors.ts';
import { newId } from '../ui/new-id.ts';
import { sentenceOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import { type Direction, linesOf } from './result-sentences.ts';
import { isTooLarge } from './request.ts';
import { summaryText } from './summary.tsx';
import { directionOf } from './undo.ts';

/** Undoes a request under one `Idempotency-Key`, and says what that has changed. */
export async function undo(entry: JournalEntry, id: string, direction: Direction, reason?: string): Promise<void> {
  const body = reason ? { reason } : {};
  const options = keyed(id);
  const { message, result } = await service.journal
    .undo(entry.id, body, { ...options, representation: true })
    .catch((error: unknown) => {
      if (isTooLarge(error)) return service.journal.undo(entry.id, body, { ...options, idempotencyKey: newId() });
      throw error;
    });
  directoryChanged();
  if (!result) say(message);
  else if (result.users.length === 0) say(t('undo.nothing'));
  else say(t('undo.done', { what: summaryText(linesOf('undo', result, direction)) }));
}

/** The same without a dialog. What failed can be tried again under the same id. */
export async function undoAndSay(entry: JournalEntry, id = newId()): Promise<void> {
  try {
    await undo(entry, id, await directionOf(entry));
  } catch (error) {
    const again = { label: t('action.try_again'), run: () => void undoAndSay(entry, id) };
    say(t('undo.failed', { why: sentenceOf(error) }), isUnsettled(error) ? again : undefined);
  }
}
