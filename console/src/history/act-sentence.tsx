import type { ComponentChildren, VNode } from 'preact';
import { language, type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { readPermission } from '../session/read-permission.ts';
import { type Act, countOf, kindOfAct, othersIn, placesOf } from './acts.ts';
import { after, before, listOf } from './facts.ts';
import { endIn, Sentence } from './sentence.tsx';
import { places, user } from './sentences.tsx';
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
  const role = roleGivenBy(act);
  if (role) return <Told act={act} withReason={withReason} what={rich(role, { actor, user: user(main) })} />;
  if (people === 1 || isOneThing(act)) return <Sentence entry={main} withReason={withReason} followed={reachOf(act)} />;
  return (
    <Told
      act={act}
      withReason={withReason}
      what={
        <>
          {key && people > 1
            ? rich(key, { actor, count: people, places: places(placesOf(entries)) })
            : rich('act.several', { actor, count: entries.length })}
          {people > 1 && ends.size === 1 && [...ends]}
        </>
      }
    />
  );
}

function Told({ act: { main }, what, withReason }: { act: Act; what: ComponentChildren; withReason: boolean }) {
  return (
    <span class="sentence">
      {what}
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

/** What a person becomes by a permission that was given directly. */
export function roleGivenBy({ main, entries }: Pick<Act, 'main' | 'entries'>): MessageKey | undefined {
  if (main.action !== 'user.permissions.changed') return undefined;
  const isNow = entries.some((entry) => entry.action === 'user.type.changed' && after(entry).type === 'administrator');
  if (isNow) return 'act.made_administrator';
  const had = listOf(before(main), 'permissions');
  const given = listOf(after(main), 'permissions').filter((id) => !had.includes(id));
  return given.length === 1 && given[0] === readPermission() ? 'act.made_auditor' : undefined;
}

/** Whom a deletion concerned, and the groups that went with a workspace: " (797 people, 4 groups)". */
function reachOf(act: Act): string | undefined {
  if (!/^(workspace|group|permission)\.deleted$/.test(act.main.action)) return undefined;
  const told = [['act.people', othersIn(act)] as const, ['act.groups', countOf(act, 'group.deleted')] as const].filter(
    ([, count]) => count > 0,
  );
  if (told.length === 0) return undefined;
  const words = told.map(([key, count]) => t(key, { count }));
  return ` (${new Intl.ListFormat(language, { type: 'unit' }).format(words)})`;
}
