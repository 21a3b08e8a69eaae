import { type ComponentChildren, Fragment, type VNode } from 'preact';
import type { JournalEntry } from '@user-administration/client';
import { language, type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { type NamedKind, useName } from '../names.ts';
import { href } from '../routing/address.ts';
import { Named } from '../records/named.tsx';
import { useMayChange } from '../session/administrators-only.tsx';
import { isOfEnd } from './acts.ts';
import { useLoggedName } from './logged-names.ts';

const SHOWN = 3;

/** A record by its name, as a link. Where it is gone: the name that the entry or the log knows, else its id. */
export function Subject({ kind, id, label }: { kind: NamedKind; id: string; label?: string }) {
  const isGone = useName(kind, id) === null;
  const logged = useLoggedName(kind, id, isGone && !label);
  if (!isGone) return <Named kind={kind} id={id} />;
  return <bdi title={id}>{label || logged || id}</bdi>;
}

/** A connection or a webhook by the name that the log knows. Readers have no page of it. */
export function Setup({ kind, id, label }: { kind: 'connection' | 'webhook'; id: string; label?: string }) {
  const logged = useLoggedName(kind, id, !label);
  const shown = label || logged || id;
  if (!useMayChange()) return <bdi title={id}>{shown}</bdi>;
  return (
    <a href={kind === 'webhook' ? href(['webhooks', id]) : href(['connections'])} title={id}>
      {shown}
    </a>
  );
}

/** A group, with its workspace: groups of several workspaces often have the same name. */
export function Group({ id, label, workspace }: { id: string; label?: string; workspace?: string }) {
  const within = useName('group', id)?.workspace ?? workspace;
  return (
    <>
      <Subject kind="group" id={id} label={label} />
      {within !== undefined && (
        <>
          {' ('}
          <Subject kind="workspace" id={within} />)
        </>
      )}
    </>
  );
}

const ACTORS: Readonly<Record<string, MessageKey>> = {
  service: 'history.actor.service',
  system: 'history.actor.system',
};

export function Actor({ actor }: Pick<JournalEntry, 'actor'>) {
  const { kind, id } = actor;
  if (kind === 'user') return <Subject kind="user" id={id} />;
  if (kind === 'connection') return <Connection id={id} />;
  const words = isOfEnd({ actor }) ? 'history.actor.expiry' : ACTORS[kind];
  return words ? rich(words, { id }) : <bdi>{id}</bdi>;
}

function Connection({ id }: { id: string }) {
  const name = useLoggedName('connection', id, true);
  const shown = <Setup kind="connection" id={id} label={name} />;
  return name ? shown : rich('history.actor.connection', { id: shown });
}

/** "Atlas, Borealis, Cosmos, and 5 more", as the language joins a list. `cut`: how many more there were than are known. */
export function listed(items: readonly VNode[], cut = 0): ComponentChildren {
  const more = Math.max(0, items.length - SHOWN) + cut;
  const shown: ComponentChildren[] = items.slice(0, SHOWN);
  if (more > 0) shown.push(t('history.more', { count: more }));
  return new Intl.ListFormat(language)
    .formatToParts(shown.map((_, index) => String(index)))
    .map(({ type, value }, index) => (
      <Fragment key={index}>{type === 'element' ? <bdi>{shown[Number(value)]}</bdi> : value}</Fragment>
    ));
}
