import { useEffect, useState } from 'preact/hooks';
import { language, type MessageKey, t } from '../language/language.ts';

/** The time so far. The remaining time is unknown, and nothing is done before the end. */
export function Progress({ words }: { words: MessageKey }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  const passed = new Intl.NumberFormat(language, { style: 'unit', unit: 'second' });
  return (
    <div class="progress">
      <p role="status">{t(words)}</p>
      <progress aria-label={t(words)} /> <span class="count">{passed.format(seconds)}</span>
    </div>
  );
}
