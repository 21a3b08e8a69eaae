import type { UserType } from '@user-administration/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice } from '../ui/notice.tsx';

/** As many as can be asked for at once. */
const SHOWN = 100;

/** The permissions that a workspace or a group gives, each with the type that it grants. @param children the next step where there are none */
export function Grants({ permissions, children }: { permissions: readonly string[]; children: ComponentChildren }) {
  const [pages, setPages] = useState(1);
  const shown = permissions.slice(0, pages * SHOWN);
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const types = new Map<string, UserType>();
      for (let from = 0; from < shown.length; from += SHOWN) {
        const filter = { id: shown.slice(from, from + SHOWN), limit: SHOWN };
        for (const { id, grants } of await service.permissions.list(filter, { signal }).all()) types.set(id, grants);
      }
      return types;
    },
    [shown.join('\n')],
  );
  return (
    <section class="card">
      <h2>{t('card.grants')}</h2>
      {permissions.length === 0 && (
        <p class="empty">
          {t('card.grants_none')} {children}
        </p>
      )}
      <ul class="rows">
        {shown.map((id) => (
          <li key={id}>
            <a href={href(['permissions', id])}>
              <bdi>{id}</bdi>
            </a>{' '}
            <TypeWord type={value?.get(id)} />
          </li>
        ))}
      </ul>
      {shown.length < permissions.length && (
        <button type="button" onClick={() => setPages(pages + 1)}>
          {t('action.more')}
        </button>
      )}
      <ErrorNotice error={error} retry={reload} />
    </section>
  );
}

export function TypeWord({ type }: { type: UserType | undefined }) {
  return type ? <span class={`word ${type}`}>{t(`type.${type}`)}</span> : null;
}
