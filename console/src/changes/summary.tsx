import { type ComponentChildren, Fragment } from 'preact';
import { language, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { endsText, whenText } from '../language/time.tsx';
import { labelOf } from '../names.ts';
import { Label, type Place, PlaceLabel, placeText } from '../places/place-label.tsx';
import { session } from '../session/session.ts';
import type { ChangeKind, Result } from './change.ts';
import { concerns, type Line } from './result-sentences.ts';

const SHOWN = 5;
/** Between the sentences of a toast. */
const DOT = ' · ';

/** The names of the first of these, and the number of the others, as the language joins a list. */
function listed<Item>(
  items: readonly Item[],
  show: (item: Item) => ComponentChildren,
  most = SHOWN,
  count = items.length,
): ComponentChildren[] {
  const shown = items.slice(0, most).map(show);
  if (count > shown.length) shown.push(t('change.more', { count: count - shown.length }));
  return new Intl.ListFormat(language)
    .formatToParts(shown.map((_, index) => String(index)))
    .map(({ type, value }) => (type === 'element' ? shown[Number(value)] : value));
}

/** The names of people, or the ids until they are known. */
export const People = ({
  ids,
  most = SHOWN,
  count = ids.length,
}: {
  ids: readonly string[];
  most?: number;
  count?: number;
}) => (
  <Parts
    parts={listed(
      ids,
      (id) => (
        <Label kind="user" id={id} />
      ),
      most,
      count,
    )}
  />
);

export const Places = ({ places }: { places: readonly Place[] }) => (
  <Parts
    parts={listed(places, (place) => (
      <PlaceLabel {...place} />
    ))}
  />
);

const Parts = ({ parts }: { parts: ComponentChildren[] }) => (
  <>
    {parts.map((part, index) => (
      <Fragment key={index}>{part}</Fragment>
    ))}
  </>
);

/** Each between marks that isolate its direction. */
const textOf = <Item,>(items: readonly Item[], text: (item: Item) => string): string =>
  listed(items, (item) => `\u2068${text(item)}\u2069`).join('');
export const placesText = (places: readonly Place[]): string => textOf(places, placeText);

/** The words of a button: what is done, to how many people, and until or on which day. */
export function actionText(kind: ChangeKind, count: number, until?: string): string {
  const what = t(`change.${kind}`, { count });
  return until ? t(kind === 'add' ? 'change.add.until' : 'change.remove.until', { what, day: whenText(until) }) : what;
}

/** What a change changes, in sentences, with a warning for whoever does it to themselves. */
export function Summary({ lines, result }: { lines: readonly Line[]; result: Result }) {
  const state = session.use();
  const isSelf = state.kind === 'signed_in' && state.me.kind === 'user' && concerns(state.me.id, result);
  return (
    <>
      <ul>
        {lines.map(({ key, count, who, where, until, isLoud }) => (
          <li key={`${key} ${where?.kind} ${where?.id} ${until}`} class={isLoud ? 'loud' : ''}>
            {rich(key, {
              count,
              who: who && <People ids={who} />,
              where: where && <PlaceLabel {...where} />,
              when: until !== undefined && endsText(until),
            })}
          </li>
        ))}
      </ul>
      {isSelf && <p class="loud">{t('change.self')}</p>}
    </>
  );
}

export const summaryText = (lines: readonly Line[]): string =>
  lines
    .map(({ key, count, who = [], where, until }) =>
      t(key, {
        count,
        who: textOf(who, (id) => labelOf('user', id)),
        where: where ? placeText(where) : '',
        when: until === undefined ? '' : endsText(until),
      }),
    )
    .join(DOT);
