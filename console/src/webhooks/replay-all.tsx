import { useRef, useState } from 'preact/hooks';
import type { Delivery } from '@user-administration/client';
import { t } from '../language/language.ts';
import { ErrorNotice } from '../ui/notice.tsx';

/** Sends all failing deliveries that are shown again, the oldest first, one after the other. */
export function ReplayAll({
  failing,
  replay,
}: {
  failing: readonly Delivery[];
  replay: (delivery: Delivery) => Promise<Delivery>;
}) {
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [error, setError] = useState<unknown>();
  const isStopped = useRef(false);
  const run = async () => {
    const all = [...failing].reverse();
    isStopped.current = false;
    setError(undefined);
    try {
      for (const [done, delivery] of all.entries()) {
        setProgress({ done, all: all.length });
        if (isStopped.current) break;
        await replay(delivery);
      }
    } catch (error) {
      setError(error);
    }
    setProgress(undefined);
  };
  return (
    <>
      {progress ? (
        <button type="button" onClick={() => (isStopped.current = true)}>
          {t('delivery.stop')}
        </button>
      ) : (
        <button type="button" onClick={() => void run()}>
          {t('delivery.replay_all', { count: failing.length })}
        </button>
      )}
      <span role="status">{progress && t('delivery.progress', { done: progress.done, all: progress.all })}</span>
      <ErrorNotice error={error} />
    </>
  );
}
