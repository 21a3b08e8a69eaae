import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { UserAdministrationError } from '@user-administration/client';
import { ToolError } from './tool';

const VALID_MS = 5 * 60_000;
/** The oldest ones are forgotten. */
const MOST = 1_000;

/** What a preview showed, and what can then be made. */
export interface Change<Result> {
  /** The same result again, as the directory is now. */
  again(): Promise<Result>;
  /** Makes the change. Every call has the key, so the service makes it once. */
  make(idempotencyKey: string): Promise<Result>;
  /** The first entry of the journal that tells of it; null if nothing changed. */
  entryOf(result: Result): Promise<string | null>;
}

export interface Made<Result> {
  entry: string | null;
  result: Result;
}

interface Preview<Result> extends Change<Result> {
  key: string;
  shown: Result;
  expiresAt: number;
  /** Sent without an answer: the service may have made the change. */
  isUnknown: boolean;
  result: Result | undefined;
  applying: Promise<Made<Result>> | undefined;
}

const NOT_MADE = { isUnknown: false, result: undefined, applying: undefined };

/** The changes that an agent has seen and can apply. They are forgotten with the process. */
export class Previews<Result = unknown> {
  private readonly kept = new Map<string, Preview<Result>>();

  /** @param clock monotonic milliseconds */
  constructor(private readonly clock = () => performance.now()) {}

  add(shown: Result, change: Change<Result>): { preview: string; expiresAt: string } {
    const preview = randomUUID();
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MOST && oldest !== undefined) this.kept.delete(oldest);
    const expiresAt = this.clock() + VALID_MS;
    this.kept.set(preview, { ...change, key: randomUUID(), shown, expiresAt, ...NOT_MADE });
    return { preview, expiresAt: new Date(Date.now() + VALID_MS).toISOString() };
  }

  /**
   * Makes the change that the preview showed, if it would still do the same. Applied again, it answers the same.
   *
   * @throws ToolError `preview.unknown`, `preview.expired` or `preview.stale`
   */
  async apply(id: string): Promise<Made<Result>> {
    const preview = this.kept.get(id);
    if (!preview) throw new ToolError('preview.unknown', 'There is no such preview. Make one first.');
    preview.applying ??= this.applyOnce(preview);
    try {
      return await preview.applying;
    } catch (error) {
      preview.applying = undefined;
      throw error;
    }
  }

  private async applyOnce(preview: Preview<Result>): Promise<Made<Result>> {
    preview.result ??= await this.make(preview);
    return { entry: await preview.entryOf(preview.result), result: preview.result };
  }

  private async make(preview: Preview<Result>): Promise<Result> {
    if (this.clock() >= preview.expiresAt) throw expired(preview.isUnknown);
    // After a lost answer the directory may have changed by this very change.
    if (!preview.isUnknown) refuseStale(preview.shown, await preview.again());
    try {
      return await preview.make(preview.key);
    } catch (error) {
      preview.isUnknown = error instanceof UserAdministrationError && error.outcomeUnknown;
      throw error;
    }
  }
}

function refuseStale(before: unknown, now: unknown): void {
  if (isDeepStrictEqual(before, now)) return;
  const sentence = 'The directory has changed since the preview, so this would do something else. Make a new preview.';
  throw new ToolError('preview.stale', sentence, { before, now });
}

function expired(isUnknown: boolean): ToolError {
  const unknown = 'It was sent, and no answer came: look at the history for what was done.';
  return new ToolError(
    'preview.expired',
    `This preview is older than five minutes. ${isUnknown ? unknown : 'Nothing was changed. Make a new one.'}`,
  );
}
