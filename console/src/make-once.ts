import { useRef, useState } from 'preact/hooks';
import { directoryChanged } from './directory-version.ts';
import { entryOfRequest } from './entry-of-request.ts';
import { isSignedOut, isUnsettled } from './service-errors.ts';
import { signedInAgain } from './session/session.ts';
import type { Attempt } from './ui/form-dialog.tsx';
import { newId } from './ui/new-id.ts';
import { PageError } from './ui/notice.tsx';

export interface Change<Body> extends Attempt {
  /** @param typed what the person has entered, where the body holds other things as well */
  run(body: Body, typed?: unknown): void;
  /** Clears the error. */
  forget(): void;
}

/** The headers of an attempt. The journal keeps the request id, so the page finds out what became of it. */
export const keyed = (id: string) => ({ idempotencyKey: id, requestId: id });

/**
 * Makes a change once, whatever the network does. A double click sends it once. After a lost answer the same body goes with the same id,
 * which is its `Idempotency-Key`; an edited body gets a new id, after the page has looked at what became of the first.
 *
 * @param send `isAgain`: an earlier attempt with this id has had no answer
 * @param done false: nothing was changed
 */
export function useChange<Body, Answer = void>(
  send: (body: Body, id: string, isAgain: boolean) => Promise<Answer>,
  done: (answer: Answer, id: string) => unknown = () => undefined,
): Change<Body> {
  const [{ error, isBusy }, setState] = useState<{ error?: unknown; isBusy: boolean }>({ isBusy: false });
  const open = useRef<{ body: Body; text: string; id: string } | undefined>(undefined);
  // Of the two clicks of a double click, the second comes before the page is drawn anew.
  const isUnderWay = useRef(false);
  const attempt = async (wanted: Body, text: string): Promise<void> => {
    const isAgain = open.current?.text === text;
    if (open.current && !isAgain) {
      const made = await entryOfRequest(open.current.id);
      open.current = undefined;
      if (made) {
        directoryChanged();
        throw new PageError('change.made_before');
      }
    }
    const { body, id } = (open.current ??= { body: wanted, text, id: newId() });
    const answer = await sendSignedIn(() => send(body, id, isAgain));
    open.current = undefined;
    setState({ isBusy: false });
    if (done(answer, id) !== false) directoryChanged();
  };
  const run = (body: Body, typed: unknown = body) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setState({ isBusy: true });
    attempt(body, JSON.stringify(typed))
      .catch((error: unknown) => {
        if (!isUnsettled(error)) open.current = undefined;
        setState({ error, isBusy: false });
      })
      .finally(() => (isUnderWay.current = false));
  };
  return {
    run,
    forget: () => setState({ isBusy: false }),
    error,
    isBusy,
    isOpen: open.current !== undefined && !isBusy,
  };
}

/** Sends again what was sent when the session had ended, under the same id, after the same person has signed in again. */
async function sendSignedIn<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isSignedOut(error) || !(await signedInAgain())) throw error;
    }
  }
}
