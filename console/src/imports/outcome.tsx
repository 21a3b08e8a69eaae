import { useState } from 'preact/hooks';
import { listed } from '../history/subjects.tsx';
import { type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import type { NamedKind } from '../names.ts';
import { ChangedFields, type RecordChange, RecordName } from './record-change.tsx';
import type { ImportResult } from './import-file.ts';

const LISTS = { user: 'users', workspace: 'workspaces', group: 'groups', permission: 'permissions' } as const;
const HEADINGS: Readonly<Record<NamedKind, MessageKey>> = {
  user: 'page.people',
  workspace: 'page.workspaces',
  group: 'card.groups',
  permission: 'page.permissions',
};
const OUTCOMES = ['created', 'changed', 'deactivated', 'unchanged'] as const;

/** The most names shown for each outcome. */
const SHOWN = 3;

/** How many records of a kind have this outcome. */
function countOf(result: ImportResult, kind: NamedKind, outcome: (typeof OUTCOMES)[number]): number {
  if (outcome === 'deactivated') return kind === 'user' ? result.deactivated : 0;
  return result[outcome][LISTS[kind]];
}

const KINDS = Object.keys(LISTS) as NamedKind[];
const total = (result: ImportResult): number =>
  KINDS.flatMap((kind) => OUTCOMES.slice(0, 3).map((outcome) => countOf(result, kind, outcome))).reduce(
    (a, b) => a + b,
  );

/** Whether an import has changed, or would change, anything. */
export const changesSomething = (result: ImportResult): boolean => total(result) > 0;

const namesNothing = (result: ImportResult): boolean => KINDS.every((kind) => countOf(result, kind, 'unchanged') === 0);

/** What a file has done or would do: by kind of record, with the names of the first. */
export function Outcome({ result }: { result: ImportResult }) {
  const changes = (result.changes ?? []) as RecordChange[];
  return (
    <div class="preview">
      {!changesSomething(result) && <p>{t(namesNothing(result) ? 'import.empty' : 'import.nothing')}</p>}
      {result.warnings && (
        <ul class="loud">
          {result.warnings.map(({ line, message }) => (
            <li key={line}>
              {t('import.line')} {line}:{' '}
              <bdi lang="en" dir="ltr">
                {message}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {KINDS.map((kind) => {
        const lines = OUTCOMES.flatMap((outcome) => {
          const count = countOf(result, kind, outcome);
          if (count === 0) return [];
          const known = changes.filter(({ record, change }) => record === kind && change === outcome);
          const names = known.slice(0, SHOWN).map((change) => <RecordName key={change.id} {...change} />);
          return (
            <li key={outcome} class={outcome === 'deactivated' ? 'loud' : ''}>
              {t(`import.count.${outcome}`, { number: count })}{' '}
              {names.length > 0 && <>· {listed(names, count - names.length)}</>}
            </li>
          );
        });
        return (
          lines.length > 0 && (
            <section key={kind}>
              <h3>{t(HEADINGS[kind])}</h3>
              <ul>
                {lines}
                {kind === 'user' && result.spared > 0 && <li>{t('import.spared', { number: result.spared })}</li>}
              </ul>
            </section>
          )
        );
      })}
      {changes.length > 0 && <AllChanges changes={changes} total={total(result)} />}
    </div>
  );
}

/** Who loses access, and how many may. */
export function Suspended({ result, most }: { result: ImportResult; most: string | undefined }) {
  const known = (result.changes as RecordChange[]).filter(({ change }) => change === 'deactivated').slice(0, SHOWN);
  const who = listed(
    known.map((change) => <RecordName key={change.id} {...change} />),
    result.deactivated - known.length,
  );
  return (
    <p class="fault">
      {rich('import.suspends', { who })} {most !== undefined && rich('import.limit', { most })}
    </p>
  );
}

/** Each change, by the lines of the file. The service lists the first. */
function AllChanges({ changes, total }: { changes: readonly RecordChange[]; total: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('import.details')}</summary>
      {changes.length < total && <p class="hint">{t('import.first', { number: changes.length })}</p>}
      {isOpen && (
        <div class="long" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('import.line')}</th>
                <th>{t('change.preview')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <tr key={`${change.record} ${change.id}`}>
                  <td>{change.line ?? t('import.not_named')}</td>
                  <td>
                    <RecordName {...change} />:{' '}
                    {change.change === 'deactivated' ? t('status.inactive') : t(`import.one.${change.change}`)}
                    <ChangedFields {...change} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
