import { placesOf } from '../places/find-places.ts';
import type { Place } from '../places/place-label.tsx';
import { useLoaded } from '../ui/load.ts';
import type { ProposedChange } from './change.ts';

/** The most people whose places are asked for. */
const FEW = 20;
const NONE_YET: readonly Place[] = [];

/** The places that people can be taken out of, where they are few; undefined: any. */
export function useOfferedPlaces({ kind, userIds }: ProposedChange, isAsked: boolean): readonly Place[] | undefined {
  const isFew = isAsked && kind === 'remove' && userIds.length <= FEW;
  const { value, error } = useLoaded(
    (signal) => (isFew ? placesOf(userIds, signal) : Promise.resolve(undefined)),
    [isFew],
  );
  return isFew && error === undefined ? (value ?? NONE_YET) : undefined;
}
