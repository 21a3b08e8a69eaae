import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Work of many requests, which shows its progress and can be cancelled. It is cancelled when the component goes, or when
 * `inputs` change.
 *
 * @param work calls `tell` with the number of what is done
 */
export function useCountedWork(
  work: (signal: AbortSignal, tell: (count: number) => void) => Promise<void>,
  inputs: readonly unknown[] = [],
) {
  /** Undefined while nothing is being done. */
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const controller = useRef<AbortController>(undefined);
  const cancel = () => {
    controller.current?.abort();
    setCount(undefined);
  };
  useEffect(() => cancel, inputs);
  const begin = async () => {
    const { signal } = (controller.current = new AbortController());
    setError(undefined);
    setCount(0);
    try {
      await work(signal, (count) => !signal.aborted && setCount(count));
    } catch (error) {
      if (!signal.aborted) setError(error);
    }
    if (!signal.aborted) setCount(undefined);
  };
  return { count, error, begin: () => void begin(), cancel };
}
