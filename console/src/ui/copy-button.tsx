import { useState } from 'preact/hooks';
import { t } from '../language/language.ts';

/** Copies a text that stands beside it. Only pages by https may write to the clipboard. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined,
    );
  return (
    <button
      type="button"
      class="link"
      aria-label={isCopied ? undefined : t('secret.copy_named', { label: text })}
      onClick={() => void copy()}
    >
      {t(isCopied ? 'secret.copied' : 'secret.copy')}
    </button>
  );
}
