import { useEffect, useRef, useState } from 'preact/hooks';
import { type ImportFile, type ImportResult, type Missing, sendFile } from './import-file.ts';

/**
 * What the file would do. It is asked for when the file is chosen, and then by `look` alone: a dry run does all the work
 * of the import, and only one import runs at a time.
 */
export function usePreview(file: ImportFile, missing: Missing) {
  const [state, setState] = useState<{ isBusy: boolean; result?: ImportResult; error?: unknown; of?: string }>({
    isBusy: true,
  });
  const controller = useRef<AbortController>(undefined);
  const of = JSON.stringify(missing);
  const look = () => {
    const { signal } = (controller.current = new AbortController());
    setState({ isBusy: true });
    sendFile(file, missing, { dryRun: true, signal }).then(
      ({ result }) => setState({ isBusy: false, result, of }),
      (error: unknown) => !signal.aborted && setState({ isBusy: false, error, of }),
    );
  };
  useEffect(() => {
    look();
    return () => controller.current?.abort();
  }, []);
  return { ...state, isCurrent: state.of === of, look };
}
