import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { searchOf } from './search-of.ts';

/** After the last key: long enough not to search for half a word, short enough not to be felt. */
const PAUSE_MS = 120;

export interface Typed {
  /** What stands in the box. */
  text: string;
  type(text: string): void;
  /** Searches at once for what stands in the box. */
  send(): void;
  /** Empties the box without a search: what follows changes the address itself. */
  clear(): void;
}

/** The text of a box that becomes the search after a pause. When the search changes elsewhere, such as by the back button, so does the text. */
export function useTyped(search: string, onSearch: (search: string) => void): Typed {
  const [text, setText] = useState(search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sent = useRef(search);
  const begin = (next: string) => {
    clearTimeout(timer.current);
    setText(next);
  };
  const send = (next: string) => {
    clearTimeout(timer.current);
    const search = searchOf(next);
    if (search === sent.current) return;
    sent.current = search;
    onSearch(search);
  };
  // Together with the drawing: after it, the next letters can have been sent already, and would be taken away.
  useLayoutEffect(() => {
    if (search === sent.current) return;
    sent.current = search;
    begin(search);
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    text,
    type(next) {
      begin(next);
      timer.current = setTimeout(() => send(next), PAUSE_MS);
    },
    send: () => send(text),
    clear() {
      begin('');
      sent.current = '';
    },
  };
}
