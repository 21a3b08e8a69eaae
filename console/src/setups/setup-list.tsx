import type { VNode } from 'preact';
import { type MessageKey, t } from '../language/language.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import type { SetupKind } from './setup-forms.tsx';
import type { useSetup } from './use-setup.tsx';

/** The list of connections or webhooks, and the way to a new one. */
export function SetupList<Stored>({
  kind: { messages },
  title,
  list: { items, error, isLoading, isSlow, hasMore, more, reload },
  setup: { create, dialogs },
  children,
}: {
  kind: SetupKind<Stored>;
  title: MessageKey;
  list: {
    items: readonly Stored[] | undefined;
    error: unknown;
    isLoading: boolean;
    isSlow: boolean;
    hasMore?: boolean;
    more?: () => void;
    reload: () => void;
  };
  setup: ReturnType<typeof useSetup>;
  children: (item: Stored) => VNode;
}) {
  return (
    <>
      <div class="row">
        <h1>{t(title)}</h1>
        {items?.length !== 0 && <span class="end">{create}</span>}
      </div>
      <p class="hint">{t(`${messages}.about`)}</p>
      {dialogs}
      <ErrorNotice error={error} retry={items ? undefined : reload} />
      {!items && isLoading && <Skeleton isSlow={isSlow} />}
      {items?.length === 0 && (
        <p class="empty">
          {t(`${messages}.none`)} {create}
        </p>
      )}
      <ul class="plain-list">{items?.map(children)}</ul>
      {hasMore && (
        <button type="button" onClick={more}>
          {t('action.more')}
        </button>
      )}
    </>
  );
}
