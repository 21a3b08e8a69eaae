import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import type { Actor } from '../contract/journal';
import type { Queryable } from '../database/statements';

/** The refusals for the results of `standing_of`; an administrator has none. */
const REFUSALS = {
  administrator: undefined,
  user: 'auth.administrator_required',
  nobody: 'auth.token_invalid',
} as const;

/**
 * Judges all actors who are about to receive data: each can have been deactivated or demoted since its request arrived.
 * As with `judgeCaller`, an id that no record can have is judged by its token alone.
 *
 * @returns the refusal of each, in the order of the actors; undefined for administrators
 */
export async function judgeActors(
  queryable: Queryable,
  actors: readonly Actor[],
): Promise<(ServiceError | undefined)[]> {
  const judged = actors.map(({ kind, id }) => ({ kind: isIdentifier(id) ? kind : 'system', id }));
  const rows = await queryable.query<{ standing: keyof typeof REFUSALS }[]>(
    `SELECT standing_of(kind, id) AS standing FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS actor (kind, id, number)
     ORDER BY number`,
    [judged.map(({ kind }) => kind), judged.map(({ kind, id }) => (kind === 'system' ? '' : id))],
  );
  return rows.map(({ standing }) => {
    const code = REFUSALS[standing];
    return code && new ServiceError(code);
  });
}
