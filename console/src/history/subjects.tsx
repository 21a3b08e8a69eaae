import { type ComponentChildren, Fragment, type VNode } from 'preact';
import type { JournalEntry } from '@user-administration/client';
import { language, type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { type NamedKind, useName } from '../names.ts';
import { href } from '../routing/address.ts';
import { Named } from '../records/named.tsx';

const SHOWN = 3;

/** A record by its name, as a link. Where it is gone: the name that the entry knows, else its id. */
export function Subject({ kind, id, label }: { kind: NamedKind; id: string; label?: string }) {
  const name = useName(kind, id);
  if (name !== null) return <Named kind={kind} id={id} />;
  return <bdi title={id}>{label || id}</bdi>;
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

/** The system, where it carries out an end. */
const EXPIRY = 'user-admin expiry';
const ACTORS: Readonly<Record<string, MessageKey>> = {
  service: 'history.actor.service',
  system: 'history.actor.system',
  connection: 'history.actor.connection',
};

export function Actor({ actor: { kind, id } }: Pick<JournalEntry, 'actor'>) {
  if (kind === 'user') return <Subject kind="user" id={id} />;
  const shown = kind === 'connection' ? <a href={href(['connections'])}>{id}</a> : id;
  const words = kind === 'system' && id === EXPIRY ? 'history.actor.expiry' : ACTORS[kind];
  return words ? rich(words, { id: shown }) : <bdi>{shown}</bdi>;
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
