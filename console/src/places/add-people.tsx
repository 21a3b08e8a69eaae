import { useState } from 'preact/hooks';
import { propose } from '../changes/change.ts';
import { t } from '../language/language.ts';
import { PeopleBox } from '../people/people-box.tsx';

/** A button that finds people, one by one or from a list, and adds them to this place. */
export function AddPeopleButton({
  workspaces,
  groups,
  name,
  isSecond,
}: {
  workspaces: string[];
  groups?: string[];
  name: string;
  /** Another button of the page is the primary one. */
  isSecond?: true;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class={isSecond ? undefined : 'primary'} onClick={() => setOpen(true)}>
        {t('action.add_people')}
      </button>
      {isOpen && (
        <PeopleBox
          title={t('action.add_people_to', { place: name })}
          action={(count) => (count === 0 ? t('action.add_people') : t('change.add', { count }))}
          onDone={(people) => {
            setOpen(false);
            propose({ kind: 'add', userIds: people.map(({ id }) => id), workspaces, groups });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
