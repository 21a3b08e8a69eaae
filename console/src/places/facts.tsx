import type { ComponentChildren } from 'preact';
import { t } from '../language/language.ts';
import { Time } from '../language/time.tsx';

/** The facts that places and permissions have in common, and further ones. */
export function Facts({
  record,
  children,
}: {
  record: { id: string; createdAt: string };
  children?: ComponentChildren;
}) {
  return (
    <section class="card">
      <dl class="facts">
        <dt>{t('field.id')}</dt>
        <dd>
          <bdi class="id">{record.id}</bdi>
        </dd>
        {children}
        <dt>{t('card.created')}</dt>
        <dd>
          <Time at={record.createdAt} />
        </dd>
      </dl>
    </section>
  );
}
