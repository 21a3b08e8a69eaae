import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../language/language.ts';
import { useCombobox } from '../ui/combobox.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { fold } from './fold.ts';
import { focusBox, focusRow } from './row-keys.ts';
import { isList } from './search-of.ts';
import type { Typed } from './typed.ts';

/** What can be chosen instead of searching for the text. */
export interface Choice {
  key: string;
  text: string;
  icon?: IconName | false;
}

/** The service's limit of a search. */
const LONGEST = 100;

interface Props<Each extends Choice> {
  label: string;
  hint: string;
  typed: Typed;
  /** Enter: opens the first that is found for this text. */
  onFirst: (text: string) => void;
  choices?: readonly Each[];
  onChoose?: (choice: Each) => void;
  /** What can be chosen as well, although it is not what is typed. */
  others?: readonly Each[];
  /** A list that was pasted. */
  onList?: ((text: string) => void) | undefined;
  /** Backspace in an empty box. */
  onBackspace?: () => void;
  /** Before the choices, in their line: those that were chosen. */
  children?: ComponentChildren;
}

/**
 * The one box of a list: a combobox (WAI-ARIA) whose choices stand in a line below it, where they cover no results. Arrow keys go through
 * the choices and on into the results; `/` comes back from anywhere.
 */
export function SearchBox<Each extends Choice>(props: Props<Each>) {
  const { label, hint, typed, onFirst, choices = [], others = [], onChoose, onList, onBackspace } = props;
  const combobox = useCombobox({
    items: choices,
    keyOf: ({ key }) => key,
    isOpen: true,
    text: typed.text,
    onChoose: (choice) => onChoose?.(choice),
    onPastEnd: () => focusRow(0),
    onEnter() {
      // Whoever typed the whole word means it.
      const meant = choices.find(({ text }) => fold(text) === fold(typed.text));
      if (meant && onChoose) return onChoose(meant);
      typed.send();
      onFirst(typed.text);
    },
    onEscape: (isMarked) => !isMarked && (typed.type(''), true),
    onBackspace,
  });
  const { onKeyDown, ...attributes } = combobox.input;
  useEffect(() => {
    // On a screen that is touched, it would open the keyboard over the page.
    if (!matchMedia('(pointer: coarse)').matches) focusBox();
    addEventListener('keydown', focusOnSlash);
    return () => removeEventListener('keydown', focusOnSlash);
  }, []);
  return (
    <div role="search">
      <div class="search-box">
        <input
          {...(onChoose && {
            ...attributes,
            'aria-controls': choices.length > 0 ? attributes['aria-controls'] : undefined,
          })}
          type="text"
          aria-label={label}
          placeholder={hint}
          value={typed.text}
          maxLength={LONGEST}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
          aria-keyshortcuts="/"
          onInput={({ currentTarget }) => {
            combobox.markAt(-1);
            typed.type(currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text') ?? '';
            if (!onList || !isList(text)) return;
            event.preventDefault();
            onList(text);
          }}
          onBlur={() => combobox.markAt(-1)}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {onChoose && (
        <div class="filters">
          {props.children}
          {choices.length > 0 && (
            <div class="filter-choices" {...combobox.list} aria-label={t('people.filters')}>
              {choices.map((choice, index) => (
                <div key={choice.key} class="word marked" {...combobox.option(choice, index)}>
                  {choice.icon && <Icon name={choice.icon} />}
                  {choice.text}
                </div>
              ))}
            </div>
          )}
          {others.map((choice) => (
            <button key={choice.key} type="button" tabIndex={-1} class="word quiet" onClick={() => onChoose(choice)}>
              {choice.text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function focusOnSlash(event: KeyboardEvent): void {
  const { key, ctrlKey, altKey, metaKey, target } = event;
  if (key !== '/' || ctrlKey || altKey || metaKey) return;
  if (document.querySelector('dialog[open]')) return;
  if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')) return;
  event.preventDefault();
  focusBox();
}
