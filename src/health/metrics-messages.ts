import type { Registry } from 'prom-client';

/** The metrics of one process, in the format of messages between processes. */
export type Numbers = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * Messages about metrics between workers and their supervisor. An answer has the id of its question. A worker that
 * starts to listen sends its metrics unasked.
 */
export type MetricsMessage =
  | { metrics: 'request-own'; id: number }
  | { metrics: 'own'; id?: number; numbers: Numbers }
  | { metrics: 'request-all'; id: number }
  | { metrics: 'all'; id: number; text: string };

/** Distinguishes these messages from other messages between processes. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message;
}

export class OpenQuestions<Answer> {
  private readonly open = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  /** @returns the answer; undefined after the timeout */
  async ask(send: (id: number) => void, withinMs: number): Promise<Answer | undefined> {
    const id = ++this.asked;
    const answer = new Promise<Answer | undefined>((resolve) => {
      this.open.set(id, resolve);
      setTimeout(resolve, withinMs, undefined).unref();
    });
    send(id);
    return answer.finally(() => this.open.delete(id));
  }

  /** A late answer is ignored. */
  answer(id: number, answer: Answer): void {
    this.open.get(id)?.(answer);
  }
}
