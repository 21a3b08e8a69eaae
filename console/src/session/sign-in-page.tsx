import { useState } from 'preact/hooks';
import { type MessageKey, t } from '../language/language.ts';
import type { SignInProblem } from '../sign-in/problem.ts';
import { checkToken } from './check-token.ts';
import { openId } from './open-id.ts';
import { endSession, type SignedOutBecause } from './session.ts';

const REASONS: Readonly<Record<SignedOutBecause, MessageKey>> = {
  never: 'session.never',
  signed_out: 'session.signed_out',
  refused: 'session.refused',
  expired: 'session.expired',
  no_administrator: 'session.no_administrator',
};

/** What one sees before one has signed in. */
export function SignInPage({ because, problem }: { because: SignedOutBecause; problem?: SignInProblem }) {
  const isFine = !problem && (because === 'never' || because === 'signed_out');
  return (
    <main class="sign-in">
      <h1>{t('title')}</h1>
      <p role={isFine ? 'status' : 'alert'}>
        {problem
          ? t(`signIn.problem.${problem.kind}`, { name: problem.name ?? '', code: problem.code ?? '' })
          : t(REASONS[because])}
      </p>
      {openId ? (
        <>
          <button type="button" class="primary" onClick={() => void begin()}>
            {t('signIn.begin')}
          </button>
          <details>
            <summary>{t('signIn.use_token')}</summary>
            <TokenForm />
          </details>
        </>
      ) : (
        <TokenForm />
      )}
    </main>
  );
}

async function begin(): Promise<void> {
  const problem = await openId?.begin();
  if (problem) endSession('never', problem);
}

function TokenForm() {
  const [token, setToken] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void checkToken(token.trim().replace(/^bearer\s+/i, ''));
      }}
    >
      <label>
        {t('session.token')}
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button class={openId ? undefined : 'primary'}>{t('session.sign_in')}</button>
    </form>
  );
}
