import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { isMetricsMessage, type MetricsMessage, type Numbers, OpenQuestions } from './metrics-messages';

/** A worker that is too busy to answer within counts with what it told before. */
const WORKER_WITHIN_MS = 1_000;

/**
 * In the process that watches over workers: the numbers of all of them together, for any of them that is asked. What a
 * worker counted until it was last asked stays in the sums when it ends, because a counter that falls looks like one that
 * began anew.
 */
export class WorkersMetrics {
  private readonly latest = new Map<Worker, Numbers>();
  private ended: Promise<Numbers> = Promise.resolve([]);
  private readonly questions = new OpenQuestions<void>();

  /** Listens to a worker from its start to its end. */
  add(worker: Worker): void {
    worker.on('message', (message) => {
      if (isMetricsMessage(message)) this.hear(worker, message);
    });
    worker.once('exit', () => this.keep(worker));
  }

  private hear(worker: Worker, message: MetricsMessage): void {
    if (message.metrics === 'own') {
      if (!worker.isDead()) this.latest.set(worker, message.numbers);
      if (message.id !== undefined) this.questions.answer(message.id);
    } else if (message.metrics === 'tell-all') {
      const { id } = message;
      this.read().then(
        (text) => send(worker, { metrics: 'all', id, text }),
        // Whoever asked gives up by the clock.
        () => undefined,
      );
    }
  }

  private async read(): Promise<string> {
    await Promise.all([...this.latest.keys()].map((worker) => this.ask(worker)));
    const [ended, latest] = [this.ended, [...this.latest.values()]];
    return AggregatorRegistry.aggregate([await ended, ...latest]).metrics();
  }

  private ask(worker: Worker): Promise<void> {
    return this.questions.ask((id) => send(worker, { metrics: 'tell-own', id }), WORKER_WITHIN_MS);
  }

  private keep(worker: Worker): void {
    const numbers = this.latest.get(worker) ?? [];
    this.latest.delete(worker);
    // It is a word, whatever its type says.
    const counted = numbers.filter(({ type }) => String(type) !== 'gauge');
    this.ended = this.ended.then((ended) => AggregatorRegistry.aggregate([ended, counted]).getMetricsAsJSON());
  }
}

/** One that has just ended hears nothing, and need not. */
function send(worker: Worker, message: MetricsMessage): void {
  worker.send(message, () => undefined);
}
