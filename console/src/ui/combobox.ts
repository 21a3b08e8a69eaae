import { useEffect, useId, useState } from 'preact/hooks';

interface Options<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  isOpen: boolean;
  text: string;
  onChoose: (item: Item) => void;
  /** An arrow key, while the list is closed. */
  onOpen?: () => void;
  /** Enter, while nothing is marked. */
  onEnter?: () => void;
  /** Escape, before it takes the mark away. @returns whether it did something */
  onEscape?: (isMarked: boolean) => boolean;
  /** Backspace in an empty field. */
  onBackspace?: () => void;
  /** Tab. A click elsewhere closes nothing: what somebody presses would move away from under the pointer. */
  onLeave?: () => void;
  /** The arrow beyond the last item. @returns whether there is something */
  onPastEnd?: () => boolean;
}

/**
 * What a field with a list has in common (WAI-ARIA combobox): one item is marked, and the focus stays in the field. Keys of an input method
 * belong to it until a word is whole.
 */
export function useCombobox<Item>(options: Options<Item>) {
  const { items, keyOf, isOpen, text, onChoose } = options;
  const id = useId();
  const [marked, mark] = useState<string | undefined>(undefined);
  const index = isOpen ? items.findIndex((item) => keyOf(item) === marked) : -1;
  const active = items[index];
  const optionId = (at: number) => `${id}-${at}`;
  useEffect(() => {
    if (index >= 0) document.getElementById(optionId(index))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [index]);
  const markAt = (at: number) => mark(items[at] && keyOf(items[at]));
  const choose = (item: Item) => {
    mark(undefined);
    onChoose(item);
  };
  const keys: Readonly<Record<string, () => boolean>> = {
    ArrowDown() {
      if (!isOpen && options.onOpen) options.onOpen();
      else if (index < items.length - 1) markAt(index + 1);
      else if (options.onPastEnd?.()) mark(undefined);
      return true;
    },
    ArrowUp() {
      if (!isOpen && options.onOpen) options.onOpen();
      else markAt(index < 0 ? items.length - 1 : index - 1);
      return true;
    },
    Enter() {
      if (active !== undefined) choose(active);
      else options.onEnter?.();
      return true;
    },
    Escape() {
      if (options.onEscape?.(index >= 0)) return true;
      mark(undefined);
      return index >= 0;
    },
    Tab() {
      options.onLeave?.();
      return false;
    },
    Backspace() {
      if (text !== '') return false;
      options.onBackspace?.();
      return false;
    },
  };
  return {
    active,
    /** Marks an item by its place in the list; beyond it: none. */
    markAt,
    input: {
      role: 'combobox' as const,
      autocomplete: 'off',
      'aria-autocomplete': 'list' as const,
      'aria-expanded': isOpen && items.length > 0,
      'aria-controls': id,
      'aria-activedescendant': index < 0 ? undefined : optionId(index),
      onKeyDown(event: KeyboardEvent) {
        // Safari ends a composition before it sends the key that ended it; 229 marks that key.
        if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey) return;
        if (Object.hasOwn(keys, event.key) && keys[event.key]?.()) event.preventDefault();
      },
    },
    list: { role: 'listbox' as const, id },
    option: (item: Item, at: number) => ({
      id: optionId(at),
      role: 'option' as const,
      'aria-selected': at === index,
      // The focus stays in the field.
      onMouseDown: (event: Event) => event.preventDefault(),
      onClick: () => choose(item),
    }),
  };
}
