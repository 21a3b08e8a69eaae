import { entryOfRequest } from '../entry-of-request.ts';
import { h } from 'preact';
import { t } from '../language/language.ts';
import { sentenceOf } from '../ui/notice.tsx';
import { say } from '../ui/toast.tsx';
import type { Result } from './change.ts';
import { linesOf } from './result-sentences.ts';
import { placesOfRequest, type Preview } from './request.ts';
import { actionText, People, placesText, summaryText } from './summary.tsx';
import { undoAndSay } from './undo-and-say.ts';
import { lastMade } from './undo-last.ts';

/** Says what a change has done, from the answer, with a way back. */
export function sayWhatWasDone({ request, result: foreseen }: Preview, result: Result | undefined, id: string): void {
  const { kind, body } = request;
  const until = 'until' in body ? (body.until ?? undefined) : undefined;
  const isAsForeseen = JSON.stringify(result) === JSON.stringify(foreseen);
  const count = result ? result.users.length : body.userIds.length;
  const lines = result ? linesOf(kind, result, undefined, undefined, until) : [];
  const what = result ? summaryText(lines) : actionText(kind, count, until);
  const text =
    count === 0
      ? t('change.nothing')
      : !isAsForeseen
        ? t('change.differs', { what })
        : until || lines.some((line) => line.until !== undefined)
          ? t('change.done', { what })
          : t(`change.${kind}.done`, { count, where: placesText(placesOfRequest(request)) });
  const undo = { label: t('action.undo'), run: () => void undoRequestOf(id, result?.users[0]?.id) };
  if (count > 0) Object.assign(lastMade, { id, user: result?.users[0]?.id });
  const who = result?.users.map(({ id }) => id) ?? [];
  say(text, count > 0 ? undo : undefined, who.length > 0 && h(People, { ids: who }));
}

/** @param user one of the users that the request has changed, if known */
async function undoRequestOf(id: string, user: string | undefined): Promise<void> {
  try {
    const entry = await entryOfRequest(id, user);
    if (entry) await undoAndSay(entry);
    else say(t('undo.not_found'));
  } catch (error) {
    say(t('undo.failed', { why: sentenceOf(error) }), {
      label: t('action.try_again'),
      run: () => void undoRequestOf(id, user),
    });
  }
}
