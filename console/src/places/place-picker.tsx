import { useRef } from 'preact/hooks';
import { t } from '../language/language.ts';
import { Icon } from '../ui/icon.tsx';
import { Picker } from '../ui/picker.tsx';
import { findPlaces, matching } from './find-places.ts';
import { type Place, PlaceLabel, placeText } from './place-label.tsx';

const BOTH: readonly Place['kind'][] = ['workspace', 'group'];
const keyOf = ({ kind, id }: Place): string => `${kind} ${id}`;

/**
 * A field for workspaces and groups, which the service finds. What was chosen stands above it.
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
  const input = useRef<HTMLInputElement>(null);
  const remove = (place: Place) => {
    onChange(places.filter((other) => other !== place));
    // The button that had the focus is gone, and the field may have been.
    requestAnimationFrame(() => input.current?.focus());
  };
  const last = places.at(-1);
  const chosen = places.length > 0 && (
    <ul class="row chosen-places" aria-label={t('place.chosen')}>
      {places.map((place) => (
        <li key={keyOf(place)} class="word">
          <span class="marked">
            <Icon name={place.kind} />
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
  );
  if (places.length >= most)
    return (
      <div class="picker" role="group" aria-label={label}>
        <b>{label}</b>
        {chosen}
      </div>
    );
  return (
    <Picker
      label={label}
      placeholder={t('place.search')}
      find={async (text, signal) => (offered ? matching(offered, text, kinds) : findPlaces(text, kinds, signal))}
      of={[kinds.join(), offered]}
      keyOf={keyOf}
      show={(place) => (
        <>
          <span class="marked">
            <Icon name={place.kind} />
            <PlaceLabel {...place} />
          </span>
          <small>{t(`place.${place.kind}`)}</small>
        </>
      )}
      chosen={places}
      onPick={(place) => onChange([...places, place])}
      onBackspace={() => last && remove(last)}
      isFirst={isFirst}
      input={input}
    >
      {chosen}
    </Picker>
  );
}
