import { useId } from 'preact/hooks';
import { t } from '../language/language.ts';
import type { Loaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import type { ComponentChildren } from 'preact';
import { isUnsettled } from '../service-errors.ts';

/** Where a dialog says what will change: once it is known, what the children say. It is told to screen readers. */
export function PreviewBox({
  preview: { error, isLoading, isSlow, reload },
  children,
}: {
  preview: Loaded<unknown>;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="preview" aria-labelledby={id} aria-busy={isLoading}>
      <h3 id={id}>{t('change.preview')}</h3>
      <div aria-live="polite">
        {isLoading ? <Skeleton rows={2} isSlow={isSlow} /> : error === undefined && children}
        {!isLoading && <ErrorNotice error={error} retry={isUnsettled(error) ? reload : undefined} />}
      </div>
    </section>
  );
}
