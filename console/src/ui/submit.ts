import { useRef, useState } from 'preact/hooks';
import { directoryChanged } from '../changed.ts';
import { isServiceError } from '../service.ts';
import { sentenceOf } from './notice.tsx';

export interface Submission {
  run(): Promise<void>;
  /** Does not tell the error any more. */
  forget(): void;
  error: unknown;
  isBusy: boolean;
}

/**
 * One change that somebody asks for, maybe several times: all tries have the same `Idempotency-Key`, so that it is made once whatever the
 * network does. The service keeps no key of what it has refused.
 */
export function useSubmission<Answer>(
  change: (key: { idempotencyKey?: string }) => Promise<Answer>,
  onDone: (answer: Answer) => void,
): Submission {
  const [{ error, isBusy }, setState] = useState<{ error?: unknown; isBusy: boolean }>({ isBusy: false });
  const key = useRef<{ idempotencyKey?: string }>({});
  const isUnderWay = useRef(false);
  const run = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ isBusy: true });
    try {
      const answer = await change(key.current);
      setState({ isBusy: false });
      onDone(answer);
      directoryChanged();
    } catch (error) {
      if (isServiceError(error) && error.idempotencyKey) key.current = { idempotencyKey: error.idempotencyKey };
      setState({ error, isBusy: false });
    } finally {
      isUnderWay.current = false;
    }
  };
  return { run, forget: () => setState({ isBusy: false }), error, isBusy };
}

/** Whether the service's refusal is about this field of the body. */
const isAt = (error: unknown, field: string): boolean =>
  isServiceError(error) && error.errors.some(({ pointer }) => pointer.split('/')[1] === field);

/** What is wrong with a field. */
export const errorAt = (error: unknown, field: string): string | undefined =>
  isAt(error, field) ? sentenceOf(error) : undefined;

/** What is not wrong with one of these fields. */
export const errorElsewhere = (error: unknown, fields: readonly string[]): unknown =>
  fields.some((field) => isAt(error, field)) ? undefined : error;

/** The record is not what was shown any more. */
export const isOutdated = (error: unknown): boolean => isServiceError(error) && error.status === 412;
