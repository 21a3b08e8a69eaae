import type { Registry } from 'prom-client';

/** The numbers of one process, as they go from one to another. */
export type Numbers = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/**
 * What workers and the process that watches over them say to each other of metrics. An answer has the id of its question; a
 * worker that begins to listen tells its numbers without having been asked.
 */
export type MetricsMessage =
  | { metrics: 'tell-own'; id: number }
  | { metrics: 'own'; id?: number; numbers: Numbers }
  | { metrics: 'tell-all'; id: number }
  | { metrics: 'all'; id: number; text: string };

/** Tells these messages from the others that processes send each other. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message;
}

/** Questions that have not been answered yet. */
export class OpenQuestions<Answer> {
  private readonly open = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  /** @returns the answer; undefined when none has come in time */
  async ask(send: (id: number) => void, withinMs: number): Promise<Answer | undefined> {
    const id = ++this.asked;
    const answer = new Promise<Answer | undefined>((resolve) => {
      this.open.set(id, resolve);
      setTimeout(resolve, withinMs, undefined).unref();
    });
    send(id);
    return answer.finally(() => this.open.delete(id));
  }

  /** An answer that comes too late is nobody's. */
  answer(id: number, answer: Answer): void {
    this.open.get(id)?.(answer);
  }
}
