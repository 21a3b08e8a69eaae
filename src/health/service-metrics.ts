import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ServiceError } from '../contract/errors';
import { isSupervised } from '../server/supervised-worker';
import { Metrics } from './metrics';
import { isMetricsMessage, type MetricsMessage, OpenQuestions } from './metrics-messages';

/** Longer than the supervisor waits for a worker. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * The metrics at this address: those of this process or, with several workers, of all of them, because nobody can
 * choose which worker answers. The supervisor adds them up: see `WorkersMetrics`.
 */
@Injectable()
export class ServiceMetrics implements OnModuleInit, OnModuleDestroy {
  private readonly questions = new OpenQuestions<string>();
  private readonly listener = (message: unknown) => {
    // The other side has a timeout.
    if (isMetricsMessage(message)) this.hear(message).catch(() => undefined);
  };

  constructor(private readonly metrics: Metrics) {}

  onModuleInit(): void {
    if (!isSupervised()) return;
    process.on('message', this.listener);
    send({ metrics: 'own', numbers: [] });
  }

  onModuleDestroy(): void {
    process.off('message', this.listener);
  }

  /** @throws ServiceError `service.unavailable` if the supervisor does not answer */
  async text(): Promise<string> {
    if (!isSupervised()) return this.metrics.registry.metrics();
    const text = await this.questions.ask((id) => send({ metrics: 'request-all', id }), ANSWER_WITHIN_MS);
    if (text !== undefined) return text;
    const cause = new Error('the process that watches over the workers does not answer');
    throw new ServiceError('service.unavailable', {}, { cause });
  }

  private async hear(message: MetricsMessage): Promise<void> {
    if (message.metrics === 'all') this.questions.answer(message.id, message.text);
    if (message.metrics !== 'request-own') return;
    send({ metrics: 'own', id: message.id, numbers: await this.metrics.registry.getMetricsAsJSON() });
  }
}

/** The other side has a timeout, so a message that cannot be sent needs no handling. */
function send(message: MetricsMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
