import './finding.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { fold } from './fold.ts';
import { focusBox, focusRow } from './row-keys.ts';
import type { Typed } from './typed.ts';

/** What can be chosen instead of searching for the text. */
export interface Choice {
  key: string;
  text: string;
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
  const { label, hint, typed, onFirst, choices = [], onChoose, onBackspace } = props;
  const id = useId();
  const [activeKey, setActiveKey] = useState<string>();
  const active = choices.findIndex(({ key }) => key === activeKey);
  const options = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a screen that is touched, it would open the keyboard over the page.
    if (!matchMedia('(pointer: coarse)').matches) focusBox();
    addEventListener('keydown', focusOnSlash);
    return () => removeEventListener('keydown', focusOnSlash);
  }, []);
  useEffect(() => options.current?.children[active]?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [active]);

  const choose = (choice: Each | undefined) => {
    if (choice === undefined) return false;
    setActiveKey(undefined);
    onChoose?.(choice);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    if (event.isComposing) return;
    const { key } = event;
    if (key === 'ArrowDown') {
      event.preventDefault();
      if (active < choices.length - 1) setActiveKey(choices[active + 1]?.key);
      else if (focusRow(0)) setActiveKey(undefined);
    } else if (key === 'ArrowUp') {
      event.preventDefault();
      setActiveKey(choices[active < 0 ? choices.length - 1 : active - 1]?.key);
    } else if (key === 'Escape') {
      if (active >= 0) setActiveKey(undefined);
      else typed.type('');
    } else if (key === 'Enter') {
      event.preventDefault();
      // Whoever typed the whole word means it.
      const meant = choices[active] ?? choices.find(({ text }) => fold(text) === fold(typed.text));
      if (choose(meant)) return;
      typed.send();
      onFirst(typed.text);
    } else if (key === 'Backspace' && typed.text === '') onBackspace?.();
  };
  return (
    <div role="search">
      <div class="search-box">
        <input
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
          {...(onChoose && {
            role: 'combobox' as const,
            'aria-autocomplete': 'list' as const,
            'aria-expanded': choices.length > 0,
            'aria-controls': choices.length > 0 ? id : undefined,
            'aria-activedescendant': active < 0 ? undefined : `${id}-${active}`,
          })}
          onInput={({ currentTarget }) => {
            setActiveKey(undefined);
            typed.type(currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setActiveKey(undefined)}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {onChoose && (
        <div class="filters">
          {props.children}
          {choices.length > 0 && (
            <div class="filter-choices" role="listbox" id={id} ref={options} aria-label={t('people.filters')}>
              {choices.map((choice, index) => (
                <div
                  key={choice.key}
                  id={`${id}-${index}`}
                  class="word"
                  role="option"
                  aria-selected={index === active}
                  // The focus stays in the box.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(choice)}
                >
                  {choice.text}
                </div>
              ))}
            </div>
          )}
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
