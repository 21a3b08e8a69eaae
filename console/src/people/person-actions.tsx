import type { Stored, UserRecord } from '@user-administration/client';
import { useState } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { Later } from '../later.tsx';
import { EditButton } from '../records/edit-button.tsx';
import { readPermission } from '../session/read-permission.ts';
import { session } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Menu } from '../ui/menu.tsx';

const MENU = ['offboard', 'administrator', 'auditor', 'link', 'rename', 'delete', 'erase'] as const;
/** They suspend or delete. */
const DANGERS: readonly string[] = ['offboard', 'delete', 'erase'];
type Open = 'suspend_me' | (typeof MENU)[number] | undefined;

/** What can be done with a person. */
export function PersonActions({ person }: { person: Stored<UserRecord> }) {
  const { id, status, type, permissions } = person;
  const [open, setOpen] = useState<Open>(undefined);
  const isMe = useIsMe(id);
  // Only what was given directly can be taken here.
  const isGiven = {
    administrator: type === 'administrator' && permissions.length > 0,
    auditor: permissions.includes(readPermission()),
  };
  const close = () => setOpen(undefined);
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
      <Menu label={t('card.more')}>
        {MENU.map((each) => (
          <button
            key={each}
            type="button"
            class={DANGERS.includes(each) ? 'plain danger' : 'plain'}
            onClick={() => setOpen(each)}
          >
            {t(
              (each === 'administrator' || each === 'auditor') && isGiven[each]
                ? `${each}.unmake_open`
                : `${each}.open`,
            )}
          </button>
        ))}
      </Menu>
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
      {open && open !== 'suspend_me' && (
        <Later
          show={({ Appoint, Offboard, RemovePerson, RenamePerson, StatusToken }) => {
            const asked = { person, isMe, onClose: close };
            if (open === 'offboard') return <Offboard {...asked} />;
            if (open === 'administrator' || open === 'auditor') return <Appoint role={open} {...asked} />;
            if (open === 'link') return <StatusToken {...asked} />;
            if (open === 'rename') return <RenamePerson {...asked} />;
            return <RemovePerson {...asked} isErasure={open === 'erase'} />;
          }}
        />
      )}
    </>
  );
}

function useIsMe(id: string): boolean {
  const state = session.use();
  return state.kind === 'signed_in' && state.me.kind === 'user' && state.me.id === id;
}
