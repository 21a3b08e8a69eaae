import type { ErrorLocation, LineError } from './errors';

/**
 * The bodies that this service answers with. Their keys and key types are fixed: callers compare whole bodies.
 */

/** Success keys, each a sentence in `src/i18n/messages/<language>/answers.json`. */
export const ANSWERS = [
  'users.assigned',
  'users.unassigned',
  'users.statuses_updated',
  'status.updated',
  'journal.undone',
  'journal.nothing_undone',
  'dry_run.done',
] as const;
/** Those of plugins, whose sentences are in `messages/<language>/answers.json` of their folders, are text. */
export type AnswerKey = (typeof ANSWERS)[number] | (string & {});

/** What an answer with a sentence has besides it, or says in place of it. It is sent as it is, and kept for a retry. */
export interface AnswerParts {
  /** The result as JSON. */
  json?: string;
  /** A dry run: nothing changed, and the result is hypothetical. */
  dryRun?: boolean;
  /** The sentence, if it is another than that of the route. */
  sentence?: AnswerKey;
}

/** The representation of a change (RFC 7240 `return=representation`), for callers that request it. */
export interface Representation<Result extends object = object> extends AnswerParts {
  result: Result;
  /** The result as JSON. Its size was judged before the commit, and it is sent as it is. */
  json: string;
  /** A dry run: nothing changed, and the result is hypothetical. */
  dryRun: boolean;
}

/**
 * What a dry run would do to one record and to users. It is answered with 200 and a sentence, whatever the route
 * answers.
 */
export class DryRunAnswer {
  constructor(readonly result: object) {}
}

/** The body of every answer of manage-status: `{"status":"success","message":"..."}`. */
export interface StatusBody {
  status: 'success' | 'error';
  message: string;
}

/** RFC 9457 problem details, sent instead of the above to a caller that prefers `application/problem+json`. */
export interface ProblemBody {
  /** RFC 9457 section 4.2.1: `about:blank`, so `title` is the phrase of the HTTP status; branch on `code`. */
  type: 'about:blank';
  title: string;
  status: number;
  /** The sentence, in the caller's language. */
  detail: string;
  /** The stable error code, such as `user.invalid`. */
  code: string;
  /** At most `LIMITS.errorLocations`. */
  errors?: readonly (ErrorLocation | LineError)[];
}
