import { isServiceError } from '../service-errors.ts';
import { type MessageKey, t } from '../language/language.ts';

const OWN_WORDS: Readonly<Record<string, MessageKey>> = {
  'client.connection_failed': 'error.away',
  'client.timed_out': 'error.away',
  'client.deadline_exceeded': 'error.away',
  'client.unexpected_answer': 'error.away',
  'client.token_failed': 'error.signed_out',
  'service.unavailable': 'error.away',
  'group.invalid': 'invalid.places',
  'workspace.invalid': 'invalid.places',
  'until.invalid': 'invalid.until',
  'until.malformed': 'invalid.until',
};

/** What the page itself refuses, with its sentence. */
export class PageError extends Error {
  constructor(readonly sentence: MessageKey) {
    super(sentence);
  }
}

/** What went wrong, in the language of the person. */
export function sentenceOf(error: unknown): string {
  if (error instanceof PageError) return t(error.sentence);
  if (!isServiceError(error)) return t('error.page');
  if (error.status === 429) return t('error.too_many', { count: Math.ceil((error.retryAfterMs ?? 1000) / 1000) });
  const own = OWN_WORDS[error.code];
  if (own) return error.outcomeUnknown ? t('error.outcome_unknown') : t(own);
  return error.detail;
}

/** An error where its answer would be, with a way to try again. It is told to screen readers. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  if (error === undefined) return null;
  // The operators can look for what has failed in the service, and for a change whose answer was lost.
  const isSought = isServiceError(error) && ((error.status ?? 0) >= 500 || error.outcomeUnknown);
  const requestId = isSought ? error.requestId : undefined;
  return (
    <div class="notice error" role="alert">
      <p>{sentenceOf(error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          {t('action.try_again')}
        </button>
      )}
      {requestId && <small>{t('error.request', { id: requestId })}</small>}
    </div>
  );
}

/** A placeholder for rows that are loading. It has their height, so that nothing jumps. */
export function Skeleton({ rows = 5, isSlow = false }: { rows?: number; isSlow?: boolean }) {
  return (
    <div class="skeleton" role="status">
      <span class={isSlow ? '' : 'visually-hidden'}>{t(isSlow ? 'loading.slow' : 'loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden="true" />
      ))}
    </div>
  );
}
