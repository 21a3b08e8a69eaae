import { t } from '../language/language.ts';

/** Characters of a reason, at most; and how many may be left before one is told. */
const MOST = 500;
const FEW_LEFT = 80;

/** The characters that a reason has too many; negative: that are left. The service counts code points. */
export const reasonExcess = (reason: string): number => [...reason.trim()].length - MOST;

export function ReasonField({
  reason,
  onChange,
  isFirst,
  isDisabled,
}: {
  reason: string;
  onChange: (reason: string) => void;
  isFirst: boolean;
  isDisabled: boolean;
}) {
  const excess = reasonExcess(reason);
  return (
    <>
      <label class="reason">
        {t('change.reason')} <small>({t('change.reason.hint')})</small>
        <textarea
          rows={2}
          autofocus={isFirst}
          disabled={isDisabled}
          value={reason}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      <p role="status" class={excess > 0 ? 'counter loud' : 'counter hint'}>
        {excess > 0
          ? t('change.reason.too_long', { count: excess })
          : excess >= -FEW_LEFT && t('change.reason.left', { count: -excess })}
      </p>
    </>
  );
}
