import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

/** Buttons, and what else there is to choose, below one that opens them. Escape, a press and leaving it close it; what a press opens gives the focus back to it. */
export function Menu({
  label,
  isSmall,
  isSkipped,
  children,
}: {
  label: ComponentChildren;
  /** Within a line. */
  isSmall?: boolean;
  /** The Tab key passes it by. */
  isSkipped?: boolean | undefined;
  children: ComponentChildren;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  const goBack = () => (menu.current?.querySelector('summary')?.focus(), close());
  return (
    <details
      class={isSmall ? 'menu small' : 'menu'}
      ref={menu}
      onKeyDown={(event) => event.key === 'Escape' && menu.current?.open && goBack()}
      onFocusOut={({ relatedTarget }) => !menu.current?.contains(relatedTarget as Node | null) && close()}
    >
      <summary tabIndex={isSkipped ? -1 : undefined}>{label}</summary>
      <div onClickCapture={({ target }) => (target as Element).closest('button, a') && goBack()}>{children}</div>
    </details>
  );
}
