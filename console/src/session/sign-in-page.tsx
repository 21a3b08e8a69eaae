import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Me } from '@user-administration/client';
import { type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { nameOf } from '../names.ts';
import type { SignInProblem } from '../sign-in/problem.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Mark } from '../ui/icon.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { openId } from './open-id.ts';
import { askAgain, endSession, type SignedIn, type SignedOutBecause, session, signOut } from './session.ts';
import { signIn } from './begin-session.ts';

/** What gives the token of a person. */
const COMMAND = 'user-admin token --sub …';

const REASONS: Readonly<Record<SignedOutBecause, MessageKey>> = {
  never: 'session.never',
  signed_out: 'session.signed_out',
  refused: 'session.refused',
  expired: 'session.expired',
  no_administrator: 'session.no_administrator',
};

const problemText = ({ kind, name = '', code = '' }: SignInProblem): string =>
  t(`signIn.problem.${kind}`, { name, code });

/** What one sees before one has signed in. */
export function SignInPage({
  because,
  problem,
  who,
  children,
}: {
  because: SignedOutBecause;
  problem?: SignInProblem;
  who?: Me;
  /** Below the card. */
  children: ComponentChildren;
}) {
  const isFine = problem ? problem.kind === 'handed_over' : because === 'never' || because === 'signed_out';
  const name = who && (who.user ? nameOf(who.user) : who.id);
  return (
    <main class="sign-in">
      <div class="card">
        <h1>
          <Mark /> {t('title')}
        </h1>
        <p role={isFine ? 'status' : 'alert'}>
          {name && `${t('session.who', { name })} `}
          {problem ? problemText(problem) : t(REASONS[because])}
        </p>
        <Ways
          label={t(because === 'no_administrator' ? 'signIn.other_account' : 'signIn.begin')}
          begin={() => openId?.begin(because === 'no_administrator' ? 'select_account' : undefined)}
          onProblem={(problem) => endSession('never', { problem })}
        />
      </div>
      {children}
    </main>
  );
}

/** Signing in again over the page: what was typed stays, and is sent after it. */
export function SignInAgain({ again, problem, error, isRefused }: SignedIn) {
  const isEnded = again === 'ended';
  return (
    <Dialog
      title={t(isEnded ? 'session.ended' : 'session.again')}
      onClose={() => !isEnded && session.get().kind === 'signed_in' && keep()}
    >
      <p>{t('session.stays')}</p>
      {(problem ?? isRefused) && (
        <p class="notice error" role="alert">
          {problem ? problemText(problem) : t('session.refused')}
        </p>
      )}
      <ErrorNotice error={error} />
      <Ways
        label={t('signIn.begin')}
        begin={() => openId?.beginInWindow()}
        onProblem={(problem) => askAgain(again ?? 'ended', { problem })}
      />
      <footer>
        <button type="button" onClick={isEnded ? signOut : keep}>
          {t(isEnded ? 'session.sign_out' : 'action.cancel')}
        </button>
      </footer>
    </Dialog>
  );
}

function keep(): void {
  const state = session.get();
  if (state.kind === 'signed_in') session.set({ kind: 'signed_in', me: state.me });
}

/** At the identity provider, if there is one, or by a token. */
function Ways({
  label,
  begin,
  onProblem,
}: {
  label: string;
  begin: () => Promise<SignInProblem | undefined> | undefined;
  onProblem: (problem: SignInProblem) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  if (!openId) return <TokenForm isOnly />;
  const press = async () => {
    const problem = await begin();
    if (problem) onProblem(problem);
  };
  return (
    <>
      <button ref={button} type="button" class="primary" onClick={() => void press()}>
        {label}
      </button>
      <details>
        <summary>{t('signIn.use_token')}</summary>
        <TokenForm />
      </details>
    </>
  );
}

function TokenForm({ isOnly = false }: { isOnly?: boolean }) {
  const [token, setToken] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => void (isOnly && box.current?.focus()), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void signIn(token.trim().replace(/^bearer\s+/i, ''), 'pasted');
      }}
    >
      <label>
        {t('session.token')}
        <input
          ref={box}
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <small>{t('session.token_kept')}</small>
        <small>{rich('session.token_from', { command: <code dir="ltr">{COMMAND}</code> })}</small>
      </label>
      <button class={isOnly ? 'primary' : undefined}>{t('session.sign_in')}</button>
    </form>
  );
}
