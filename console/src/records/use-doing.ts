import { useState } from 'preact/hooks';

/** One thing that a dialog does, once at a time. Its error stays until it is tried again. */
export function useDoing(act: () => Promise<void>): {
  error: unknown;
  isBusy: boolean;
  run: (event?: Event) => void;
  forget: () => void;
} {
  const [{ error, isBusy }, setState] = useState<{ error: unknown; isBusy: boolean }>({
    error: undefined,
    isBusy: false,
  });
  const run = (event?: Event) => {
    event?.preventDefault();
    if (isBusy) return;
    setState({ error: undefined, isBusy: true });
    act().then(
      () => setState({ error: undefined, isBusy: false }),
      (error: unknown) => setState({ error, isBusy: false }),
    );
  };
  return { error, isBusy, run, forget: () => setState({ error: undefined, isBusy: false }) };
}
