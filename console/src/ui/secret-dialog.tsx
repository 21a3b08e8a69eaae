import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../language/language.ts';
import { Dialog } from './dialog.tsx';

/** A secret that the service returns only once. Closing asks once, unless it was copied. */
export function SecretDialog({
  title,
  label,
  secret,
  also,
  hint,
  onClose,
  children,
}: {
  title: string;
  label: string;
  secret: string;
  /** Something that goes with it, and is no secret. */
  also?: { label: string; value: string };
  hint: ComponentChildren;
  onClose: () => void;
  children?: ComponentChildren;
}) {
  const isCopied = useRef(false);
  const [isAsking, setIsAsking] = useState(false);
  const close = () => (isCopied.current || isAsking ? onClose() : setIsAsking(true));
  return (
    <Dialog title={title} onClose={close}>
      <p>{hint}</p>
      <Copyable label={label} value={secret} onCopied={() => (isCopied.current = true)} />
      {also && <Copyable {...also} />}
      {children}
      {isAsking && (
        <p class="notice error" role="alert">
          {t('secret.not_copied')}
        </p>
      )}
      <footer>
        <button type="button" class="primary" onClick={close}>
          {t(isAsking ? 'secret.close_anyway' : 'action.close')}
        </button>
      </footer>
    </Dialog>
  );
}

function Copyable({ label, value, onCopied }: { label: string; value: string; onCopied?: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [state, setState] = useState<'copied' | 'select'>();
  const copied = () => (setState('copied'), onCopied?.());
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      copied();
    } catch {
      // Only pages by https may write to the clipboard.
      input.current?.select();
      setState('select');
    }
  };
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <div class="copyable">
        <input
          id={id}
          ref={input}
          dir="ltr"
          readOnly
          value={value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onCopy={copied}
        />
        <button type="button" onClick={() => void copy()} aria-label={t('secret.copy_named', { label })}>
          {t(state === 'copied' ? 'secret.copied' : 'secret.copy')}
        </button>
        <span class="visually-hidden" role="status">
          {state === 'copied' && t('secret.copied')}
        </span>
        {state === 'select' && <small role="status">{t('secret.copy_by_hand')}</small>}
      </div>
    </div>
  );
}
