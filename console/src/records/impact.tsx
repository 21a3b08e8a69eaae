import type { UserType } from '@user-administration/client';
import { PreviewBox } from '../changes/preview-box.tsx';
import { People } from '../changes/summary.tsx';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import type { NamedKind } from '../names.ts';
import { session } from '../session/session.ts';
import { type Loaded, useLoaded } from '../ui/load.ts';
import { type Impact, impactOf } from './operations.ts';

const TYPES: readonly UserType[] = ['guest', 'member', 'manager', 'administrator'];
/** How long somebody may still be choosing. */
const PAUSE_MS = 150;

/**
 * What a change of a record, or its deletion, would do to people: the service makes it and rolls it back.
 *
 * @param patch undefined: it is deleted
 * @param isAsked nothing is asked before something is chosen
 */
export function useImpact(kind: NamedKind, id: string, patch?: object, isAsked = true): Loaded<Impact | undefined> {
  return useLoaded(
    async (signal) => {
      if (!isAsked) return undefined;
      if (patch) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      return signal.aborted ? undefined : impactOf(kind, id, patch, signal);
    },
    [kind, id, JSON.stringify(patch), isAsked],
  );
}

/** Whom it touches, and who loses or gains which type. */
export function ImpactBox({ impact }: { impact: Loaded<Impact | undefined> }) {
  const state = session.use();
  const me = state.kind === 'signed_in' && state.me.kind === 'user' ? state.me.id : undefined;
  const { affected = 0, types = [] } = impact.value?.users ?? {};
  const isSelf = types.some(
    ({ before, first }) => before === 'administrator' && me !== undefined && first.includes(me),
  );
  return (
    <PreviewBox preview={{ ...impact, isLoading: impact.isLoading || !impact.isCurrent }}>
      <ul>
        <li>{t(affected === 0 ? 'impact.nobody' : 'impact.affected', { count: affected })}</li>
        {types.map(({ before, after, count, first }) => (
          <li key={before + after} class={TYPES.indexOf(after) < TYPES.indexOf(before) ? 'loud' : ''}>
            {rich(`change.becomes.${after}`, { count, who: <People ids={first} most={first.length} count={count} /> })}{' '}
            <small>{t('impact.was', { type: t(`type.${before}`) })}</small>
          </li>
        ))}
        {impact.value?.connections?.map(({ id, name }) => (
          <li key={id} class="loud">
            {t('impact.connection', { name })}
          </li>
        ))}
      </ul>
      {isSelf && <p class="loud">{t('change.self')}</p>}
    </PreviewBox>
  );
}
