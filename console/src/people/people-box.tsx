import type { User } from '@user-administration/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { learnNames, nameOf } from '../names.ts';
import { firstOf } from '../places/find-places.ts';
import { service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Picker } from '../ui/picker.tsx';
import { findListed, MOST_LISTED } from './paste.ts';
import { readList } from './paste-list.ts';
import { select } from './selection.ts';

const SHOWN = 8;
const NAMED = 20;

interface Found {
  people: User[];
  missing: string[];
  /** What stood in the list beyond the most that can be found at once. */
  left: number;
}

/** A box for people: found one by one, or from a list as it comes out of a mail or a sheet. */
export function PeopleBox({
  title,
  list = '',
  action,
  onDone,
  onClose,
}: {
  title: string;
  /** A list that is looked for at once. */
  list?: string;
  /** The words of the button for this number of people. */
  action: (count: number) => string;
  onDone: (people: User[]) => void;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, User>>(new Map());
  const [text, setText] = useState(list);
  const [found, setFound] = useState<Found & { of: string }>();
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const controller = useRef(new AbortController());
  const add = (people: readonly User[]) =>
    setChosen((chosen) => new Map([...chosen, ...people.map((person) => [person.id, person] as const)]));
  const find = async () => {
    setState({ isBusy: true });
    const all = readList(text);
    try {
      const { people, missing } = await findListed(all.slice(0, MOST_LISTED), controller.current.signal);
      learnNames('user', people);
      add(people);
      setFound({ people, missing, left: Math.max(0, all.length - MOST_LISTED), of: text });
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  useEffect(() => void (list && find()), []);
  const close = () => (controller.current.abort(), onClose());
  const isFound = found !== undefined && found.of === text;
  const needsFinding = text.trim() !== '' && !isFound;
  const people = [...chosen.values()];
  return (
    <Dialog title={title} onClose={close}>
      <Picker
        label={t('people.search')}
        placeholder={t('people.search_hint')}
        find={async (search, signal) => {
          const users = await firstOf(service.users.list({ search: search || undefined, limit: SHOWN }, { signal }));
          learnNames('user', users);
          return users;
        }}
        keyOf={({ id }) => id}
        show={(person) => (
          <>
            <bdi>{nameOf(person)}</bdi> <small>{person.email ?? person.id}</small>
          </>
        )}
        chosen={people}
        onPick={(person) => add([person])}
      />
      <label>
        {t('paste.label')}
        <textarea
          rows={5}
          dir="auto"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <small>{t('paste.hint')}</small>
      </label>
      <div role="status">
        {isFound && (
          <p>
            {t('paste.found', { count: found.people.length, all: found.people.length + found.missing.length })}{' '}
            {found.left > 0 && t('paste.limit', { max: MOST_LISTED })}
          </p>
        )}
      </div>
      {isFound && found.missing.length > 0 && (
        <details open>
          <summary>{t('paste.missing', { number: found.missing.length })}</summary>
          <ul class="missing">
            {found.missing.map((each) => (
              <li key={each}>
                <bdi>{each}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {people.length > 0 && (
        <ul class="row chosen-places" aria-label={t('place.chosen')}>
          {people.slice(0, NAMED).map((person) => (
            <li key={person.id} class="word">
              <bdi>{nameOf(person)}</bdi>
              <button
                type="button"
                class="plain"
                aria-label={t('people.unselect', { name: nameOf(person) })}
                onClick={() =>
                  setChosen(new Map(people.filter((each) => each !== person).map((each) => [each.id, each])))
                }
              >
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
          {people.length > NAMED && <li>{t('people.others', { count: people.length - NAMED })}</li>}
        </ul>
      )}
      <ErrorNotice error={state.error} />
      <footer>
        <button type="button" onClick={close}>
          {t('action.cancel')}
        </button>
        {needsFinding ? (
          <button type="button" class="primary" disabled={state.isBusy} onClick={() => void find()}>
            {t('paste.find')}
          </button>
        ) : (
          <button type="button" class="primary" disabled={people.length === 0} onClick={() => onDone(people)}>
            {action(people.length)}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

/** Selects the people of a list. */
export function PasteButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t('paste.open')}
      </button>
      {isOpen && <PasteBox onClose={() => setOpen(false)} />}
    </>
  );
}

export const PasteBox = ({ text, onClose }: { text?: string; onClose: () => void }) => (
  <PeopleBox
    title={t('paste.title')}
    list={text}
    action={(count) => (count === 0 ? t('paste.find') : t('paste.select', { number: count }))}
    onDone={(people) => (select(people), onClose())}
    onClose={onClose}
  />
);
