import './place-picker.css';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { findPlaces, matching } from './find-places.ts';
import { type Place, PlaceLabel, placeText } from './place-label.tsx';

export type { Place } from './place-label.tsx';

const BOTH: readonly Place['kind'][] = ['workspace', 'group'];
const keyOf = ({ kind, id }: Place): string => `${kind} ${id}`;

/**
 * A field for workspaces and groups: a combobox (WAI-ARIA) that searches in the service from the first character. What was chosen stands
 * above it.
 *
 * @param offered only these places can be chosen; undefined: all that there are
 * @param most the most places that can be chosen
 * @param isFirst it has the focus of a dialog, and shows its list at once
 */
export function PlacePicker({
  label,
  places,
  onChange,
  kinds = BOTH,
  offered,
  most = Infinity,
  isFirst = false,
}: {
  label: string;
  places: readonly Place[];
  onChange: (places: Place[]) => void;
  kinds?: readonly Place['kind'][];
  offered?: readonly Place[];
  most?: number;
  isFirst?: boolean;
}) {
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(isFirst);
  const [marked, setMarked] = useState(-1);
  // Somebody has pressed Enter before the answer to the last character: then it means the first result.
  const takesFirst = useRef(false);
  const found = useLoaded(
    async (signal) => (offered ? matching(offered, text, kinds) : findPlaces(text, kinds, signal)),
    [kinds.join(), text, offered],
  );
  const { isCurrent } = found;
  const options = (found.value ?? []).filter((place) => !places.some((other) => keyOf(other) === keyOf(place)));
  const active = isOpen && isCurrent ? options[marked] : undefined;

  const choose = (place: Place) => {
    onChange([...places, place]);
    setText('');
    setOpen(false);
    setMarked(-1);
  };
  const remove = (place: Place) => {
    onChange(places.filter((other) => other !== place));
    // The button that had the focus is gone, and the field may have been.
    requestAnimationFrame(() => input.current?.focus());
  };
  useEffect(() => {
    if (!isCurrent || !takesFirst.current) return;
    takesFirst.current = false;
    if (options[0]) choose(options[0]);
  }, [isCurrent]);
  useEffect(() => {
    if (active) document.getElementById(`${id}-${marked}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  // Not when the field loses the focus: what somebody is pressing would then move away from under the pointer.
  useEffect(() => {
    if (!isOpen) return;
    // The click that has opened the field's dialog is still on its way.
    const since = performance.now();
    const close = ({ target, timeStamp }: MouseEvent) => {
      if (timeStamp > since && !field.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener('click', close);
    return () => removeEventListener('click', close);
  }, [isOpen]);

  const keys: Record<string, () => void> = {
    ArrowDown: () => (isOpen ? setMarked(Math.min(marked + 1, options.length - 1)) : setOpen(true)),
    ArrowUp: () => (isOpen ? setMarked(Math.max(marked - 1, 0)) : setOpen(true)),
    Enter: () => {
      if (active) choose(active);
      else if (isOpen && text && !isCurrent) takesFirst.current = true;
    },
  };
  if (isOpen) keys.Escape = () => setOpen(false);
  const last = places.at(-1);
  if (text === '' && last) keys.Backspace = () => remove(last);

  return (
    <div class="place-picker" ref={field}>
      <label for={id}>{label}</label>
      {places.length > 0 && (
        <ul class="row" aria-label={t('place.chosen')}>
          {places.map((place) => (
            <li key={keyOf(place)} class="word">
              <span>
                <PlaceLabel {...place} />
              </span>
              <button
                type="button"
                class="plain"
                aria-label={t('place.remove', { place: placeText(place) })}
                onClick={() => remove(place)}
              >
                <span aria-hidden="true">✕</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {places.length < most && (
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          autocomplete="off"
          autofocus={isFirst}
          placeholder={t('place.search')}
          aria-expanded={isOpen && options.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active && `${id}-${marked}`}
          value={text}
          onClick={() => setOpen(true)}
          onInput={({ currentTarget }) => {
            takesFirst.current = false;
            setText(currentTarget.value);
            setMarked(currentTarget.value ? 0 : -1);
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Tab') setOpen(false);
            const press = keys[event.key];
            if (!press || event.isComposing) return;
            event.preventDefault();
            press();
          }}
        />
      )}
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen || options.length === 0}>
        {options.map((place, index) => (
          <li
            key={keyOf(place)}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === marked}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(place)}
          >
            <span>
              <PlaceLabel {...place} />
            </span>
            <small>{t(`place.${place.kind}`)}</small>
          </li>
        ))}
      </ul>
      <p role="status" class={isOpen && isCurrent && text && options.length === 0 ? 'hint' : 'visually-hidden'}>
        {isOpen &&
          isCurrent &&
          (options.length > 0 ? t('place.found', { count: options.length }) : text && t('place.none'))}
      </p>
      {isOpen && <ErrorNotice error={found.error} retry={found.reload} />}
    </div>
  );
}
