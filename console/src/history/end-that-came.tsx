import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { JournalEntry } from '@user-administration/client';
import { rich } from '../language/message.tsx';
import { service } from '../service.ts';
import { setsEnd } from './acts.ts';
import { after, before } from './facts.ts';
import { Actor } from './subjects.tsx';

const LOOKED_AT = 50;
const OF_PLACES = ['user.workspaces.assigned', 'user.workspaces.extended', 'user.workspaces.shortened'] as const;
const OF_ACCOUNT = ['user.updated', 'user.created'] as const;

/** An end that somebody had set, with who that was and why. */
export function EndThatCame({
  entry,
  user,
  places,
}: {
  entry: JournalEntry;
  user: VNode;
  /** Those that the person left; without them the account has ended. */
  places?: ComponentChildren;
}) {
  const [setting, setSetting] = useState<JournalEntry>();
  useEffect(() => {
    const controller = new AbortController();
    const set = (found: JournalEntry | undefined) => !controller.signal.aborted && setSetting(found);
    inTurn(() => settingOf(entry, controller.signal)).then(set, () => undefined);
    return () => controller.abort();
  }, [entry.id]);
  const who = setting && <Actor actor={setting.actor} />;
  const what = places === undefined ? 'history.ended.account' : 'history.ended';
  return (
    <>
      {who ? rich(`${what}.set`, { user, places, who }) : rich(what, { user, places })}
      {setting?.reason && (
        <>
          {': '}
          <q>
            <bdi>{setting.reason}</bdi>
          </q>
        </>
      )}
    </>
  );
}

let last: Promise<unknown> = Promise.resolve();

/** Many ends can stand on one page: they ask one after the other. */
function inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = last.then(ask);
  last = answer.catch(() => undefined);
  return answer;
}

/** The newest entry before it that set this end. */
async function settingOf(entry: JournalEntry, signal: AbortSignal): Promise<JournalEntry | undefined> {
  signal.throwIfAborted();
  const isAccount = entry.action === 'user.status.changed';
  const action = [...(isAccount ? OF_ACCOUNT : OF_PLACES)];
  const filter = { user: entry.user ?? '', action, to: entry.at, limit: LOOKED_AT };
  const { value } = await service.journal.list(filter, { signal }).pages().next();
  return value?.items.find((earlier) =>
    isAccount ? 'activeUntil' in after(earlier) : setsEnd(earlier, before(entry)),
  );
}
