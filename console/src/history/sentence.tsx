import type { VNode } from 'preact';
import type { JournalEntry } from '@user-administration/client';
import { rich } from '../language/message.tsx';
import { SENTENCES } from './sentences.tsx';
import { Actor, Subject } from './subjects.tsx';

/** An entry of the journal as a sentence with links. Its reason stands behind it, unless it is shown elsewhere. */
export function Sentence({ entry, withReason = true }: { entry: JournalEntry; withReason?: boolean }): VNode {
  const actor = <Actor actor={entry.actor} />;
  // A service of a newer version can write actions that this page does not know.
  const tell = Object.hasOwn(SENTENCES, entry.action) ? SENTENCES[entry.action] : undefined;
  return (
    <span class="sentence">
      {tell ? tell(entry, actor) : rich('history.other', { actor, action: entry.action })}
      {entry.grantedBy !== null && (
        <small> {rich('history.granted', { who: <Subject kind="user" id={entry.grantedBy} /> })}</small>
      )}
      {withReason && entry.reason && (
        <>
          {': '}
          <q>
            <bdi>{entry.reason}</bdi>
          </q>
        </>
      )}
      {withReason && entry.erased && <small> {rich('history.erased', {})}</small>}
    </span>
  );
}
