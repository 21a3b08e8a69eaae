import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { isMetricsMessage, type MetricsMessage, type Numbers, OpenQuestions } from './metrics-messages';

/** A worker that does not answer in time counts with its previous values. */
const WORKER_WITHIN_MS = 1_000;

/**
 * The supervisor's sum of the metrics of all workers, for any worker that requests it. The counts of a worker that has
 * ended stay in the sums, because a counter that falls looks like a restart.
 */
export class WorkersMetrics {
  private readonly latest = new Map<Worker, Numbers>();
  private ended: Promise<Numbers> = Promise.resolve([]);
  private readonly questions = new OpenQuestions<void>();

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
    } else if (message.metrics === 'request-all') {
      const { id } = message;
      this.read().then(
        (text) => send(worker, { metrics: 'all', id, text }),
        // The worker does not need an answer: its request has a timeout.
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
    return this.questions.ask((id) => send(worker, { metrics: 'request-own', id }), WORKER_WITHIN_MS);
  }

  private keep(worker: Worker): void {
    const numbers = this.latest.get(worker) ?? [];
    this.latest.delete(worker);
    // It is a string, contrary to its declared type.
    const counted = numbers.filter(({ type }) => String(type) !== 'gauge');
    this.ended = this.ended.then((ended) => AggregatorRegistry.aggregate([ended, counted]).getMetricsAsJSON());
  }
}

/** A worker that has just ended needs no message. */
function send(worker: Worker, message: MetricsMessage): void {
  worker.send(message, () => undefined);
}
