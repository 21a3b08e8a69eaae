import { useEffect, useId, useState } from 'preact/hooks';
import { learnNames, nameOf } from '../names.ts';
import { service } from '../service.ts';

const TYPING_MS = 150;
const SHOWN = 8;

interface Found {
  id: string;
  label: string;
}

async function find(kind: 'user' | 'workspace', search: string, signal: AbortSignal): Promise<Found[]> {
  const wanted = { search, limit: SHOWN };
  const list = kind === 'user' ? service.users.list(wanted, { signal }) : service.workspaces.list(wanted, { signal });
  for await (const { items } of list.pages()) {
    learnNames(kind, items);
    return items.map((item) => ({ id: item.id, label: nameOf(item) }));
  }
  return [];
}

/** A field that finds people or workspaces while one types. Whatever else stands in it, such as the id of a service, is taken as an id. */
export function Picker({
  label,
  kind,
  onPick,
}: {
  label: string;
  kind: 'user' | 'workspace';
  onPick: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found[]>([]);
  const [active, setActive] = useState(-1);
  const id = useId();
  const search = text.trim();
  useEffect(() => {
    setActive(-1);
    if (search === '') return setFound([]);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      // Without suggestions, an id can still be typed; the page's own requests tell what is wrong.
      find(kind, search, controller.signal).then(setFound, () => setFound([]));
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search]);
  const close = () => {
    setText('');
    setFound([]);
  };
  const pick = (picked: string) => {
    close();
    if (picked) onPick(picked);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter') pick(found[active]?.id ?? search);
    else if (event.key === 'Escape' && text !== '') close();
    else return;
    event.preventDefault();
  };
  return (
    <div class="picker">
      <label>
        {label}
        <input
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => setFound([])}
        />
      </label>
      <ul role="listbox" id={id} aria-label={label} hidden={found.length === 0}>
        {found.map((each, index) => (
          // The field keeps the focus, so the list is still there when the button of the mouse comes up.
          <li
            key={each.id}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(each.id)}
          >
            <bdi>{each.label}</bdi> {each.label !== each.id && <small>{each.id}</small>}
          </li>
        ))}
      </ul>
    </div>
  );
}
