import { comparisonsIn, type FilterNode } from '@user-administration/scim-protocol';
import { type BoundedReads, EndedReadError, type Queryable } from '@user-administration/postgres';
import { ServiceError } from '../door';
import { ScimError } from './scim-error';

/** Comparisons of one request, each of one attribute of one resource: about two seconds. */
const COMPARISONS = 2_000_000;
/** Attributes can have long values and many, so the number of comparisons alone does not bound the time. */
const MILLISECONDS = 5_000;

/** The maximum number of resources that a filter examines. */
export function examinedBy(filter: FilterNode): number {
  return Math.floor(COMPARISONS / comparisonsIn(filter));
}

/**
 * Reads by a filter, within bounds of its work, and no longer than its request lasts.
 *
 * @throws ScimError `tooMany`
 */
export async function readFiltered<T>(
  reads: BoundedReads,
  gone: AbortSignal,
  read: (sender: Queryable) => Promise<T>,
): Promise<T> {
  try {
    return await reads.run(MILLISECONDS, gone, read);
  } catch (error) {
    if (!(error instanceof EndedReadError)) throw error;
    if (gone.aborted) throw new ServiceError('request.malformed', {}, { cause: error.message });
    throw tooMuchWork();
  }
}

/** RFC 7644 section 3.12: a filter yields more than the service is willing to calculate. */
export function tooMuchWork(): ScimError {
  return new ScimError(
    'tooMany',
    'The filter compares too much. Use fewer conditions, or eq on id, userName, externalId or emails.',
  );
}
