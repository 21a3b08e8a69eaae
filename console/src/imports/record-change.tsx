import type { ComponentChildren, VNode } from 'preact';
import { listed } from '../history/subjects.tsx';
import { type MessageKey, t } from '../language/language.ts';
import { endsText, fullTime } from '../language/time.tsx';
import type { NamedKind } from '../names.ts';
import { Label, PlaceLabel } from '../places/place-label.tsx';
import { FIELDS, PERSON_TEXTS, STATUS } from '../records/fields.ts';

/** What becomes of one record. */
export interface RecordChange {
  /** Null for a person who is not in the file. */
  line: number | null;
  record: NamedKind;
  id: string;
  change: 'created' | 'changed' | 'deactivated';
  /** The fields that differ. */
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

/** A record that does not exist yet has the name that the file gives it. */
export function RecordName({ record, id, change, after }: RecordChange): VNode {
  const given = after.displayName ?? after.name;
  if (change === 'created') return <bdi title={id}>{typeof given === 'string' ? given : id}</bdi>;
  return record === 'group' ? <PlaceLabel kind="group" id={id} /> : <Label kind={record} id={id} />;
}

/** As on the card of a record. */
const TEXTS = PERSON_TEXTS.map(({ name }) => name);
const ORDER = ['displayName', 'name', 'description', ...TEXTS, 'status', 'activeUntil', 'grants', 'permissions'];
const placeOf = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

type Ends = Readonly<Record<string, string | null>>;

/** Each field with what it was and what it becomes; of a list, what is left out and what is added. */
export function ChangedFields({ record, before, after }: RecordChange) {
  const names = Object.keys(after).sort((one, other) => placeOf(one) - placeOf(other));
  return (
    <ul class="fields">
      {names.flatMap((name) => {
        const value = after[name];
        const was = before[name];
        const shown = (value: unknown) => textOf(record, name, value);
        if (isEmpty(was) && isEmpty(value)) return [];
        return (
          <li key={name}>
            {t(labelOf(record, name))}:{' '}
            {Array.isArray(value) ? (
              <Difference was={listIn(was)} is={listIn(value)} show={(id) => idIn(name, id)} />
            ) : name === 'until' ? (
              <EndsOf {...(value as { workspaces: Ends; groups: Ends })} />
            ) : (
              <>
                {!isEmpty(was) && (
                  <>
                    <del>{shown(was)}</del>
                    {document.dir === 'rtl' ? ' ← ' : ' → '}
                  </>
                )}
                <ins>{shown(value)}</ins>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);
const listIn = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);

const PLACES: Readonly<Record<string, MessageKey>> = {
  workspaces: 'page.workspaces',
  groups: 'card.groups',
  until: 'ends.field',
};
const fieldOf = (record: NamedKind, name: string) => [...FIELDS[record], STATUS].find((field) => field.name === name);
const labelOf = (record: NamedKind, name: string): MessageKey =>
  fieldOf(record, name)?.label ?? PLACES[name] ?? 'field.name';

function textOf(record: NamedKind, name: string, value: unknown): string {
  if (isEmpty(value)) return t('field.nothing');
  const text = String(value);
  const words = fieldOf(record, name)?.options?.[text];
  return words ? t(words as MessageKey) : name === 'activeUntil' ? fullTime(text) : text;
}

const idIn = (list: string, id: string): VNode =>
  list === 'workspaces' ? (
    <Label kind="workspace" id={id} />
  ) : list === 'groups' ? (
    <PlaceLabel kind="group" id={id} />
  ) : (
    <bdi>{id}</bdi>
  );

function Difference({
  was,
  is,
  show,
}: {
  was: string[];
  is: string[];
  show: (id: string) => VNode;
}): ComponentChildren {
  const gone = was.filter((id) => !is.includes(id));
  const added = is.filter((id) => !was.includes(id));
  return (
    <>
      {gone.length > 0 && <del>− {listed(gone.map(show))}</del>}{' '}
      {added.length > 0 && <ins>+ {listed(added.map(show))}</ins>}
    </>
  );
}

function EndsOf({ workspaces, groups }: { workspaces: Ends; groups: Ends }) {
  const of = (list: string, ends: Ends) =>
    Object.entries(ends).map(([id, at]) => (
      <span key={id}>
        {idIn(list, id)} {endsText(at)}
      </span>
    ));
  return <>{listed([...of('workspaces', workspaces), ...of('groups', groups)])}</>;
}
