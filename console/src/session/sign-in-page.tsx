import { useState } from 'preact/hooks';
import { type MessageKey, t } from '../language/language.ts';
import type { SignedOutBecause } from './session.ts';
import { checkToken } from './check-token.ts';

const REASONS: Readonly<Record<SignedOutBecause, MessageKey>> = {
  never: 'session.never',
  signed_out: 'session.signed_out',
  refused: 'session.refused',
  expired: 'session.expired',
  no_administrator: 'session.no_administrator',
};

/** What one sees before one has signed in. */
export function SignInPage({ because }: { because: SignedOutBecause }) {
  const [token, setToken] = useState('');
  return (
    <main class="sign-in">
      <h1>{t('title')}</h1>
      <p role={because === 'never' || because === 'signed_out' ? 'status' : 'alert'}>{t(REASONS[because])}</p>
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
        <button class="primary">{t('session.sign_in')}</button>
      </form>
    </main>
  );
}
