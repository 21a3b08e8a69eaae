import { useRef, useState } from 'preact/hooks';
import { isServiceError } from '../service.ts';
import { newId } from '../ui/new-id.ts';

export interface Attempt<Request> {
  isUnderWay: boolean;
  /** Why the last one failed. */
  error: unknown;
  /** It may have been made, or may still be: trying again sends the same, and nothing else can be sent. */
  isOpen: boolean;
  run(request: Request): void;
}

/**
 * Sends a change once, under one id, whatever the network does: until there is an answer that settles it, each further attempt sends the
 * same request with the same id, which is its `Idempotency-Key`. While one is under way, no other begins.
 */
export function useAttempt<Request>(send: (request: Request, id: string) => Promise<void>): Attempt<Request> {
  const [state, setState] = useState<{ isUnderWay: boolean; error: unknown }>({ isUnderWay: false, error: undefined });
  const kept = useRef<{ request: Request; id: string } | undefined>(undefined);
  const isUnderWay = useRef(false);
  const run = async (wanted: Request) => {
    // Of the two clicks of a double click, the second comes before the button is drawn as disabled.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ isUnderWay: true, error: undefined });
    const { request, id } = (kept.current ??= { request: wanted, id: newId() });
    let failure: unknown;
    try {
      await send(request, id);
    } catch (error) {
      failure = error;
    }
    if (!isUnsettled(failure)) kept.current = undefined;
    isUnderWay.current = false;
    setState({ isUnderWay: false, error: failure });
  };
  return { ...state, isOpen: kept.current !== undefined, run: (request) => void run(request) };
}

export const isUnsettled = (error: unknown): boolean =>
  isServiceError(error) && (error.temporary || error.outcomeUnknown);
