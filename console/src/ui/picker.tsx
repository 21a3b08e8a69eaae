import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { useCombobox } from './combobox.ts';
import { useLoaded } from './load.ts';
import { ErrorNotice } from './notice.tsx';

const TYPING_MS = 100;

/** A field that finds records while one types. Enter takes the marked one, else the first, else the text itself where that can be meant. */
export function Picker<Item>({
  label,
  placeholder,
  find,
  of = [],
  keyOf,
  show,
  chosen = [],
  onPick,
  onText,
  onBackspace,
  isFirst = false,
  input: own,
  children,
}: {
  label: string;
  placeholder?: string;
  find: (text: string, signal: AbortSignal) => Promise<Item[]>;
  /** What else the search depends on. */
  of?: readonly unknown[];
  keyOf: (item: Item) => string;
  show: (item: Item) => ComponentChildren;
  /** These are not offered again. */
  chosen?: readonly Item[];
  onPick: (item: Item) => void;
  /** Takes what stands in the field. Then nothing is found before something is typed, and no item is meant unless it is marked. */
  onText?: (text: string) => void;
  onBackspace?: () => void;
  /** It has the focus of a dialog, and shows its list at once. */
  isFirst?: boolean;
  input?: RefObject<HTMLInputElement | null>;
  /** Between the label and the field. */
  children?: ComponentChildren;
}) {
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(isFirst);
  // Somebody has pressed Enter before the answer to the last character: then it means the first result.
  const takesFirst = useRef(false);
  const search = text.trim();
  const found = useLoaded(
    async (signal) => {
      if (onText && search === '') return [];
      if (search !== '') await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
      return signal.aborted ? [] : find(search, signal);
    },
    [search, ...of],
  );
  const { isCurrent } = found;
  const taken = chosen.map(keyOf);
  const items = (found.value ?? []).filter((item) => !taken.includes(keyOf(item)));
  const isShown = isOpen && items.length > 0 && (!onText || search !== '');
  const close = () => (setText(''), setOpen(false));
  const pick = (item: Item | undefined) => {
    if (item === undefined) return;
    close();
    onPick(item);
  };
  const combobox = useCombobox({
    items,
    keyOf,
    text,
    isOpen: isShown && (isCurrent || !onText),
    onChoose: pick,
    onOpen: () => setOpen(true),
    onEnter() {
      if (onText) {
        close();
        if (search) onText(search);
      } else if (isOpen && search && !isCurrent) takesFirst.current = true;
      else if (isShown && search) pick(items[0]);
    },
    onEscape() {
      if (!isOpen || (onText && text === '')) return false;
      if (onText) setText('');
      setOpen(false);
      return true;
    },
    onBackspace,
    onLeave: () => setOpen(false),
  });
  useEffect(() => {
    if (!isCurrent) return;
    if (!onText && search) combobox.markAt(0);
    if (takesFirst.current) pick(items[0]);
    takesFirst.current = false;
  }, [isCurrent, search]);

  // Not when the field loses the focus: what somebody is pressing would then move away from under the pointer.
  useEffect(() => {
    if (!isOpen) return;
    // The click that has opened the field's dialog is still on its way.
    const since = performance.now();
    const leave = ({ target, timeStamp }: MouseEvent) => {
      if (timeStamp > since && !field.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener('click', leave);
    return () => removeEventListener('click', leave);
  }, [isOpen]);

  const isNone = isOpen && isCurrent && search !== '' && items.length === 0 && !onText;
  return (
    <div class="picker" ref={field}>
      <label for={id}>{label}</label>
      {children}
      <input
        {...combobox.input}
        ref={own}
        id={id}
        type="text"
        spellcheck={false}
        autofocus={isFirst}
        placeholder={placeholder}
        value={text}
        onClick={() => setOpen(true)}
        onInput={({ currentTarget }) => {
          takesFirst.current = false;
          setText(currentTarget.value);
          setOpen(true);
        }}
      />
      <ul {...combobox.list} aria-label={label} hidden={!isShown}>
        {items.map((item, index) => (
          <li key={keyOf(item)} {...combobox.option(item, index)}>
            {show(item)}
          </li>
        ))}
      </ul>
      <p role="status" class={isNone ? 'hint' : 'visually-hidden'}>
        {isShown && isCurrent ? t('place.found', { count: items.length }) : isNone && t('place.none')}
      </p>
      {isOpen && !onText && <ErrorNotice error={found.error} retry={found.reload} />}
    </div>
  );
}
