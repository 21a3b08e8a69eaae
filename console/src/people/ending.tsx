import { useState } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { Ends } from '../language/time.tsx';
import { labelOf } from '../names.ts';
import type { Place } from '../places/place-label.tsx';
import { EditRecord } from '../records/edit-record.tsx';
import { FIELDS } from '../records/fields.ts';
import { operationsOn } from '../records/operations.ts';
import { useMayChange } from '../session/administrators-only.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded } from '../ui/load.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';

interface Props {
  user: string;
  /** Where the membership ends; undefined: the account does. */
  place?: Place | undefined;
  at: string | null | undefined;
  /** The Tab key passes it by. */
  isSkipped?: boolean;
}

/** When an account or a membership ends, if it ends; and a menu that changes that, or takes it away. */
export function Ending({ user, place, at, isSkipped }: Props) {
  const [start, setStart] = useState<string>();
  const mayChange = useMayChange();
  if (!at) return null;
  const told = (
    <>
      <Icon name={place?.kind ?? 'user'} />
      <Ends at={at} isAccount={!place} />
    </>
  );
  if (!mayChange) return <span class="marked">{told}</span>;
  const begin = (start: string) => {
    if (!place) return setStart(start);
    const { kind, id, workspace = id } = place;
    const where = { workspaces: [workspace], groups: kind === 'group' ? [id] : undefined };
    propose({ kind: 'end', userIds: [user], ...where, until: at, start });
  };
  return (
    <>
      <Menu label={told} isSmall isSkipped={isSkipped}>
        <button type="button" class="plain" onClick={() => begin(at)}>
          {t('ends.change')}
        </button>
        <button type="button" class="plain" onClick={() => begin('')}>
          {t('ends.remove')}
        </button>
      </Menu>
      {start !== undefined && <EndOfAccount {...{ user, start }} onClose={() => setStart(undefined)} />}
    </>
  );
}

const FIELD = FIELDS.user.filter(({ name }) => name === 'activeUntil');

function EndOfAccount({ user, start, onClose }: { user: string; start: string; onClose: () => void }) {
  const title = t('ends.account', { name: labelOf('user', user) });
  const { value, error, reload } = useLoaded((signal) => operationsOn('user').get(user, { signal }), [user]);
  if (value)
    return (
      <EditRecord kind="user" record={value} fields={FIELD} start={{ activeUntil: start }} {...{ title, onClose }} />
    );
  return (
    <Dialog title={title} onClose={onClose}>
      {error === undefined ? <Skeleton rows={2} /> : <ErrorNotice error={error} retry={reload} />}
    </Dialog>
  );
}
