import type { EffectivePermission, PermissionSource, UserType } from '@user-administration/client';
import type { ComponentChildren, VNode } from 'preact';
import { Actor, Group, listed } from '../history/subjects.tsx';
import { language, t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Day } from '../language/time.tsx';
import { TypeWord } from '../records/grants.tsx';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';
import { Named } from '../records/named.tsx';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { Ending } from './ending.tsx';

/** So many sentences say enough. */
const SHOWN = 5;

/** The type of a person and what earns it, in a sentence for each way; beneath, all else that the person may. */
export function Why({ id, type, children }: { id: string; type: UserType; children?: ComponentChildren }) {
  const { value, error, isSlow, reload } = useLoaded((signal) => service.users.permissions(id, { signal }).all(), [id]);
  // An application can derive types by a rule of its own, to which only it knows what a permission means.
  const isOwnRule = value?.some(({ earnsType }) => earnsType === null) || (value?.length === 0 && type !== 'guest');
  const earning = value?.filter(({ earnsType }) => earnsType) ?? [];
  const others = value?.filter(({ earnsType }) => !earnsType) ?? [];
  const ways = earning.flatMap((permission) => permission.sources.map((source) => ({ permission, source })));
  const further = earning.reduce((sum, { more = 0 }) => sum + more, Math.max(0, ways.length - SHOWN));
  return (
    <section class="card">
      <h2>{t('why.title')}</h2>
      <ErrorNotice error={error} retry={reload} />
      {!value && error === undefined && <Skeleton rows={2} isSlow={isSlow} />}
      {value && ways.length === 0 && <p>{rich(isOwnRule ? 'why.own_rule' : 'why.none', { type: typeWord(type) })}</p>}
      <ul class="rows why">
        {ways.slice(0, SHOWN).map((way) => (
          <Way key={keyOf(way)} user={id} type={type} {...way} />
        ))}
      </ul>
      {further > 0 && (
        <details>
          <summary>{t('why.more', { count: further })}</summary>
          <ul class="rows why">
            {ways.slice(SHOWN).map((way) => (
              <Way key={keyOf(way)} user={id} type={type} {...way} />
            ))}
          </ul>
        </details>
      )}
      {others.length > 0 && (
        <details>
          <summary>{t('why.others', { count: others.length })}</summary>
          <ul class="rows">
            {others.map((permission) => (
              <li key={permission.id}>
                <Named kind="permission" id={permission.id} /> <TypeWord type={permission.grants} />{' '}
                <small>
                  {listed(
                    permission.sources.map((source) => (
                      <>
                        {placeOf(source)} <EndOf user={id} source={source} />
                      </>
                    )),
                    permission.more,
                  )}
                </small>
              </li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </section>
  );
}

interface WayProps {
  permission: EffectivePermission;
  source: PermissionSource;
}

/** "Manager, through Managers (Atlas), since 3 May, by Ada: team lead" */
function Way({ user, type, permission, source }: WayProps & { user: string; type: UserType }) {
  const { kind, since, actor, reason } = source;
  const told = since && actor ? (reason ? '.reason' : '.since') : '';
  const key = `why.${kind === 'user' ? 'user' : 'place'}${told}` as const;
  return (
    <li>
      {rich(key, {
        type: typeWord(type),
        place: placeOf(source),
        since: since && <Day at={since} />,
        actor: actor && <Actor actor={actor} />,
        reason: <q>{reason}</q>,
      })}{' '}
      <EndOf user={user} source={source} />{' '}
      <small>
        <Named kind="permission" id={permission.id} />
      </small>
    </li>
  );
}

/** Whoever is given a permission directly keeps it. */
const EndOf = ({ user, source }: { user: string; source: PermissionSource }) =>
  source.kind === 'user' ? null : <Ending user={user} place={source} at={source.until} />;

function placeOf(source: PermissionSource): VNode {
  if (source.kind === 'user') return <>{t('why.directly')}</>;
  if (source.kind === 'workspace') return <Named kind="workspace" id={source.id} />;
  return <Group id={source.id} workspace={source.workspace} />;
}

/** As the first word of a sentence. */
function typeWord(type: UserType): string {
  const [first = '', ...rest] = t(`type.${type}`);
  return first.toLocaleUpperCase(language) + rest.join('');
}

const keyOf = ({ permission, source }: WayProps): string =>
  JSON.stringify([permission.id, source.kind, source.kind === 'user' || source.id]);
