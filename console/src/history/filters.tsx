import type { ComponentChildren } from 'preact';
import { language, type MessageKey, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { useName } from '../names.ts';
import { session } from '../session/session.ts';
import { dayInWords, dayOf } from '../ui/days.ts';
import { changeFilter, type HistoryFilter } from './filter.ts';
import { ACTIONS, KINDS, type JournalAction } from './kinds.ts';
import { Picker } from '../ui/picker.tsx';
import { findNamed, type Found } from './find-named.ts';

/** Where one says what to look for. */
export function Filters({ filter }: { filter: HistoryFilter }) {
  return (
    <div class="history-filters" role="search" aria-label={t('history.filters')}>
      <RecordPicker label={t('history.filter.user')} kind="user" onPick={(user) => changeFilter({ user })} />
      <RecordPicker
        label={t('history.filter.workspace')}
        kind="workspace"
        onPick={(workspace) => changeFilter({ workspace })}
      />
      <RecordPicker label={t('history.filter.actor')} kind="user" onPick={(actor) => changeFilter({ actor })} />
      <label>
        {t('history.filter.action')}
        <select
          value=""
          onChange={({ currentTarget }) => {
            changeFilter({ action: [...filter.action, currentTarget.value as JournalAction] });
            currentTarget.value = '';
          }}
        >
          <option value="">{t('history.filter.any')}</option>
          {ACTIONS.filter((action) => !filter.action.includes(action)).map((action) => (
            <option key={action} value={action}>
              {t(KINDS[action])}
            </option>
          ))}
        </select>
      </label>
      <Day
        label={t('history.filter.from')}
        value={filter.from}
        max={filter.to}
        onPick={(from) => changeFilter({ from })}
      />
      <Day label={t('history.filter.to')} value={filter.to} min={filter.from} onPick={(to) => changeFilter({ to })} />
    </div>
  );
}

/** Filters that people often want, in a click. */
export function Presets() {
  const state = session.use();
  const me = state.kind === 'signed_in' ? state.me.id : undefined;
  const now = new Date();
  const since = (days: number) => dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
  const month = dayOf(new Date(now.getFullYear(), now.getMonth(), 1));
  const presets: [MessageKey, Partial<HistoryFilter>][] = [
    ['history.preset.today', { from: since(0), to: undefined }],
    ['history.preset.week', { from: since(6), to: undefined }],
    ['history.preset.month', { from: month, to: undefined }],
    ['history.preset.me', { actor: me }],
  ];
  return (
    <div class="row presets" role="group" aria-label={t('history.presets')}>
      {presets.map(([label, filter]) => (
        <button key={label} type="button" class="word" onClick={() => changeFilter(filter)}>
          {t(label)}
        </button>
      ))}
    </div>
  );
}

/** Finds people or workspaces. Whatever else stands in it, such as the id of a service, is taken as an id. */
function RecordPicker({
  kind,
  label,
  onPick,
}: {
  kind: 'user' | 'workspace';
  label: string;
  onPick: (id: string) => void;
}) {
  return (
    <Picker<Found>
      label={label}
      find={(text, signal) => findNamed(kind, text, signal)}
      keyOf={({ id }) => id}
      show={({ id, label }) => (
        <>
          <bdi>{label}</bdi> {label !== id && <small>{id}</small>}
        </>
      )}
      onPick={({ id }) => onPick(id)}
      onText={onPick}
    />
  );
}

function Day({
  label,
  value = '',
  onPick,
  ...bounds
}: {
  label: string;
  value?: string;
  min?: string;
  max?: string;
  onPick: (day: string | undefined) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="date"
        value={value}
        {...bounds}
        onChange={({ currentTarget }) => onPick(currentTarget.value || undefined)}
      />
    </label>
  );
}

/** The filters that are set, each with a way to take it away. */
export function Chips({ filter }: { filter: HistoryFilter }) {
  const { user, workspace, actor, action, from, to } = filter;
  if (!(user ?? workspace ?? actor ?? from ?? to) && action.length === 0) return null;
  return (
    <ul class="chips" aria-label={t('history.chips')}>
      {user && (
        <Chip label={t('history.filter.user')} onRemove={() => changeFilter({ user: undefined })}>
          <Label kind="user" id={user} />
        </Chip>
      )}
      {workspace && (
        <Chip label={t('history.filter.workspace')} onRemove={() => changeFilter({ workspace: undefined })}>
          <Label kind="workspace" id={workspace} />
        </Chip>
      )}
      {actor && (
        <Chip label={t('history.filter.actor')} onRemove={() => changeFilter({ actor: undefined })}>
          <Label kind="user" id={actor} />
        </Chip>
      )}
      {action.map((each) => (
        <Chip
          key={each}
          label={t('history.filter.action')}
          onRemove={() => changeFilter({ action: action.filter((other) => other !== each) })}
        >
          {t(KINDS[each])}
        </Chip>
      ))}
      {from && (
        <Chip label={t('history.filter.from')} onRemove={() => changeFilter({ from: undefined })}>
          {dayInWords(from, language)}
        </Chip>
      )}
      {to && (
        <Chip label={t('history.filter.to')} onRemove={() => changeFilter({ to: undefined })}>
          {dayInWords(to, language)}
        </Chip>
      )}
    </ul>
  );
}

function Label({ kind, id }: { kind: 'user' | 'workspace'; id: string }) {
  return <>{useName(kind, id)?.label ?? id}</>;
}

function Chip({ label, onRemove, children }: { label: string; onRemove: () => void; children: ComponentChildren }) {
  return (
    <li class="word">
      <span>{rich('history.chip', { label, value: children })}</span>
      <button
        type="button"
        class="plain"
        aria-label={t('history.chip.remove', { label: typeof children === 'string' ? children : label })}
        onClick={(event) => {
          // The button goes with its filter; the heading is where the reading begins.
          event.currentTarget.closest('main')?.querySelector('h1')?.focus();
          onRemove();
        }}
      >
        <span aria-hidden="true">✕</span>
      </button>
    </li>
  );
}
