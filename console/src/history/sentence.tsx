import type { VNode } from 'preact';
import type { JournalEntry } from '@user-administration/client';
import { rich } from '../language/message.tsx';
import { t } from '../language/language.ts';
import { untilText, whenText } from '../language/time.tsx';
import { endsAreChangedBy } from './acts.ts';
import { after, timeOf } from './facts.ts';
import { SENTENCES } from './sentences.tsx';
import { Actor, Subject } from './subjects.tsx';

/** An entry of the journal as a sentence with links. Its reason stands behind it, unless it is shown elsewhere. */
export function Sentence({
  entry,
  withReason = true,
  followed,
}: {
  entry: JournalEntry;
  withReason?: boolean;
  /** What followed from it, in short. */
  followed?: string;
}): VNode {
  const actor = <Actor actor={entry.actor} />;
  // A service of a newer version can write actions that this page does not know.
  const tell = Object.hasOwn(SENTENCES, entry.action) ? SENTENCES[entry.action] : undefined;
  return (
    <span class="sentence">
      {tell ? tell(entry, actor) : rich('history.other', { actor, action: entry.action })}
      {endIn(entry)}
      {followed}
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

/** When the memberships of an entry end, if all end alike; when an account ends, if the sentence says something else. */
export function endIn(entry: JournalEntry): string | undefined {
  const text = endText(entry);
  return text && ` (${text})`;
}

function endText(entry: JournalEntry): string | undefined {
  const facts = after(entry);
  if ('activeUntil' in facts && ['displayName', 'email', 'permissions'].some((name) => name in facts)) {
    const end = timeOf(facts, 'activeUntil');
    return t('history.chip', { label: t('field.active_until'), value: end ? whenText(end) : t('field.nothing') });
  }
  const ends = endsAreChangedBy(entry) ? facts : (facts.until as typeof facts);
  const [end, other] = new Set([ends?.workspaces, ends?.groups].flatMap((each) => Object.values(each ?? {})));
  if (other !== undefined) return undefined;
  if (end === null) return t('ends.none');
  return Number.isNaN(Date.parse(String(end))) ? undefined : untilText(String(end));
}
