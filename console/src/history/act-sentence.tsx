import type { VNode } from 'preact';
import type { MessageKey } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { type Act, kindOfAct, placesOfAct } from './acts.ts';
import { endIn, Sentence } from './sentence.tsx';
import { places } from './sentences.tsx';
import { Actor } from './subjects.tsx';

const SENTENCES: Readonly<Record<string, MessageKey>> = {
  'user.status.changed inactive': 'act.suspended',
  'user.status.changed active': 'act.activated',
  'user.workspaces.assigned': 'act.assigned',
  'user.workspaces.unassigned': 'act.unassigned',
  'user.workspaces.extended': 'act.ends',
  'user.workspaces.shortened': 'act.ends',
};

/** One act in a sentence: "Zoe suspended 2,850 people". */
export function ActSentence({ act, withReason = false }: { act: Act; withReason?: boolean }): VNode {
  const { main, people, entries } = act;
  const actor = <Actor actor={main.actor} />;
  const key = SENTENCES[kindOfAct(act)];
  const ends = new Set(entries.filter(({ action }) => action === main.action).map(endIn));
  if (people === 1 || isOneThing(act)) return <Sentence entry={main} withReason={withReason} />;
  return (
    <span class="sentence">
      {key && people > 1
        ? rich(key, { actor, count: people, places: places(placesOfAct(act)) })
        : rich('act.several', { actor, count: entries.length })}
      {people > 1 && ends.size === 1 && [...ends]}
      {withReason && main.reason && (
        <>
          {': '}
          <q>
            <bdi>{main.reason}</bdi>
          </q>
        </>
      )}
    </span>
  );
}

/** A record was created, changed or deleted, and the rest follows from that. */
const isOneThing = ({ entries, main }: Act): boolean =>
  entries.length === 1 ||
  !/^user\.(status|workspaces|type)\./.test(main.action) ||
  entries.every(({ user }) => user === main.user);
