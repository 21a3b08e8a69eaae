import { t } from '../language/language.ts';
import { say } from '../ui/toast.tsx';
import { askAgain, currentToken, secondsLeft, session } from './session.ts';
import { isRenewed } from './begin-session.ts';

/** Seconds before the end at which the page warns, if the session cannot be renewed. */
const WORDS_S = [300, 60];

/** Warns before a session ends, and asks to sign in again when it has ended. */
export function watchEnd(): void {
  let token: string | undefined;
  let told = Infinity;
  setInterval(() => {
    const state = session.get();
    const left = secondsLeft();
    if (state.kind !== 'signed_in' || state.again === 'ended' || left === undefined) return;
    if (token !== currentToken()?.token) told = Infinity;
    token = currentToken()?.token;
    if (left <= 0) return askAgain('ended');
    const due = WORDS_S.filter((seconds) => left <= seconds).at(-1) ?? Infinity;
    if (due >= told) return;
    told = due;
    void isRenewed().then((isIt) => isIt || tell(left));
  }, 1000);
}

function tell(left: number): void {
  const action = { label: t('session.again'), run: () => askAgain('early') };
  say(t('session.ends', { count: Math.max(1, Math.round(left / 60)) }), action);
}
