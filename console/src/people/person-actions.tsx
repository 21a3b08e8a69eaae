import type { Stored, UserRecord } from '@user-administration/client';
import { useRef, useState } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { EditButton } from '../records/edit-button.tsx';
import { readPermission } from '../session/read-permission.ts';
import { session } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';

import { Appoint } from './appoint.tsx';
import { Offboard } from './offboard.tsx';
import { RemovePerson } from './remove-person.tsx';
import { RenamePerson } from './rename-person.tsx';
import { StatusToken } from './status-token.tsx';

const MENU = ['administrator', 'auditor', 'link', 'rename', 'delete', 'erase'] as const;
type Open = 'suspend_me' | 'offboard' | (typeof MENU)[number] | undefined;

/** What can be done with a person. */
export function PersonActions({ person }: { person: Stored<UserRecord> }) {
  const { id, status, type, permissions } = person;
  const [open, setOpen] = useState<Open>(undefined);
  const menu = useRef<HTMLDetailsElement>(null);
  const isMe = useIsMe(id);
  // Only what was given directly can be taken here.
  const isGiven = {
    administrator: type === 'administrator' && permissions.length > 0,
    auditor: permissions.includes(readPermission()),
  };
  const close = () => setOpen(undefined);
  const closeMenu = () => menu.current?.removeAttribute('open');
  const suspend = () => propose({ kind: 'status', userIds: [id], status: 'inactive' });
  return (
    <>
      <button type="button" class="primary" onClick={() => propose({ kind: 'add', userIds: [id] })}>
        {t('action.add_to')}
      </button>
      {status === 'active' ? (
        <button type="button" onClick={() => (isMe ? setOpen('suspend_me') : suspend())}>
          {t('action.suspend')}
        </button>
      ) : (
        <button type="button" onClick={() => propose({ kind: 'status', userIds: [id], status: 'active' })}>
          {t('action.activate')}
        </button>
      )}
      <EditButton
        kind="user"
        record={person}
        note={(values) =>
          isMe &&
          type === 'administrator' &&
          permissions.some((each) => !(values.permissions as string[]).includes(each)) && (
            <p class="fault">{t('self.demote')}</p>
          )
        }
      />
      <button type="button" onClick={() => setOpen('offboard')}>
        {t('offboard.open')}
      </button>
      <details
        class="menu"
        ref={menu}
        onKeyDown={(event) => event.key === 'Escape' && (closeMenu(), menu.current?.querySelector('summary')?.focus())}
        onFocusOut={({ relatedTarget }) => !menu.current?.contains(relatedTarget as Node | null) && closeMenu()}
      >
        <summary>{t('card.more')}</summary>
        <div>
          {MENU.map((each) => (
            <button
              key={each}
              type="button"
              class={each === 'delete' || each === 'erase' ? 'plain danger' : 'plain'}
              onClick={() => {
                // The dialog gives the focus back to what stays.
                menu.current?.querySelector('summary')?.focus();
                closeMenu();
                setOpen(each);
              }}
            >
              {t(
                (each === 'administrator' || each === 'auditor') && isGiven[each]
                  ? `${each}.unmake_open`
                  : `${each}.open`,
              )}
            </button>
          ))}
        </div>
      </details>
      {open === 'suspend_me' && (
        <Dialog title={t('self.suspend_title')} onClose={close}>
          <p>{t('self.suspend')}</p>
          <footer>
            <button type="button" onClick={close}>
              {t('action.cancel')}
            </button>
            <button type="button" class="danger" onClick={() => (close(), suspend())}>
              {t('self.suspend_go_on')}
            </button>
          </footer>
        </Dialog>
      )}
      {open === 'offboard' && <Offboard person={person} onClose={close} />}
      {(open === 'administrator' || open === 'auditor') && <Appoint role={open} person={person} onClose={close} />}
      {open === 'link' && <StatusToken person={person} onClose={close} />}
      {open === 'rename' && <RenamePerson person={person} isMe={isMe} onClose={close} />}
      {(open === 'delete' || open === 'erase') && (
        <RemovePerson person={person} isErasure={open === 'erase'} isMe={isMe} onClose={close} />
      )}
    </>
  );
}

function useIsMe(id: string): boolean {
  const state = session.use();
  return state.kind === 'signed_in' && state.me.kind === 'user' && state.me.id === id;
}
