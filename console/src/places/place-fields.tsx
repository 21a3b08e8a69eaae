import type { OwnInput, OwnKind, Value } from '../ui/fields.ts';
import type { Place } from './place-label.tsx';
import { PlacePicker } from './place-picker.tsx';

const ONLY_WORKSPACES = ['workspace'] as const;

/** Places as the value of a field, and back. */
const valueOf = (places: readonly Place[]): string[] => places.map((place) => JSON.stringify(place));
export const placesOf = (value: Value | undefined): Place[] =>
  typeof value === 'object' ? value.map((each) => JSON.parse(each) as Place) : [];

function PlacesInput({ label, value, isFirst, onChange }: OwnInput) {
  return (
    <PlacePicker
      label={label}
      places={placesOf(value)}
      onChange={(places) => onChange(valueOf(places))}
      isFirst={isFirst}
    />
  );
}

function WorkspacesInput({ field: { most }, label, value, isFirst, onChange }: OwnInput) {
  const ids = typeof value === 'object' ? value : value ? [String(value)] : [];
  return (
    <PlacePicker
      label={label}
      kinds={ONLY_WORKSPACES}
      places={ids.map((id) => ({ kind: 'workspace', id }))}
      most={most}
      isFirst={isFirst && ids.length === 0}
      onChange={(places) => onChange(most === 1 ? (places[0]?.id ?? '') : places.map(({ id }) => id))}
    />
  );
}

/** Workspaces and groups, which are two lists on the wire. */
export const PLACES: OwnKind = { show: PlacesInput, isList: true, hasLabel: true, wireNames: ['workspaces', 'groups'] };

/** The ids of workspaces; the id alone in a field of at most one. */
export const WORKSPACES: OwnKind = { show: WorkspacesInput, hasLabel: true };
