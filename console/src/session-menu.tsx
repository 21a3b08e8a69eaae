import { showKeys } from './keys-dialog.tsx';
import { t } from './language/language.ts';
import { Looks } from './looks.tsx';
import { useName } from './names.ts';
import { session, signOut } from './session/session.ts';
import { href } from './routing/address.ts';
import { Initials } from './ui/icon.tsx';
import { Menu } from './ui/menu.tsx';

/** Who is signed in, and below it what is theirs: language, colours, keys, and the way out. */
export function SessionMenu() {
  const state = session.use();
  const { id, kind } = state.kind === 'signed_in' ? state.me : { id: '', kind: undefined };
  const known = useName('user', id);
  if (!kind) return null;
  const name = (kind === 'user' && known?.label) || id;
  const label = (
    <>
      <Initials name={name} /> <bdi>{name}</bdi>
    </>
  );
  return (
    <div class="session">
      <Menu label={label}>
        {kind === 'user' && <a href={href(['people', id])}>{name}</a>}
        <Looks />
        <button type="button" class="plain" onClick={showKeys}>
          {t('keys.title')} <kbd>?</kbd>
        </button>
        <button type="button" class="plain" onClick={signOut}>
          {t('session.sign_out')}
        </button>
      </Menu>
    </div>
  );
}
