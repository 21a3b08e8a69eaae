import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Judged } from '../auth/judge-caller';
import { mergeEntries } from './merge-entries';
import type { NewEntry } from './new-entry';
import { recordableAttribution } from './recording-function';

/** A statement ends with the change that fills it. */
const STATEMENT_CHARACTERS = 4_000_000;

/**
 * The append-only record of who did what.
 *
 * @example
 * const judged = await judgeCaller(manager, { actor: caller, requestId });
 * await journal.append(manager, judged, [
 *   { action: 'user.status.changed', user: 'ben', before: { status: 'active' }, after: { status: 'inactive' } },
 * ]);
 */
@Injectable()
export class Journal {
  /**
   * Appends entries in the transaction of the changes, with one statement for each few megabytes of them.
   *
   * It locks nothing. Changes to one user are appended while that user is locked, so their entries are in the order of
   * the changes.
   */
  async append(manager: EntityManager, judged: Judged, entries: readonly NewEntry[]): Promise<void> {
    for (const changes of inStatements(mergeEntries(entries))) {
      await manager.query(
        `SELECT journal_append_changes($1, $2, $3, $4, $5, $6, ARRAY(
           SELECT change FROM json_populate_recordset(NULL::journal_new_change, $7) AS change
         ))`,
        [...recordableAttribution(judged), changes],
      );
    }
  }
}

/** The changes as JSON, each list as long as a statement may be. */
function* inStatements(changes: readonly object[]): Generator<string, void, undefined> {
  let texts: string[] = [];
  let length = 0;
  for (const change of changes) {
    const text = JSON.stringify(change);
    texts.push(text);
    length += text.length;
    if (length < STATEMENT_CHARACTERS) continue;
    yield `[${texts.join(',')}]`;
    [texts, length] = [[], 0];
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}
