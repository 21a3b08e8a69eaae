import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Aggregator, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** Less than the timeout for a worker's metrics. */
const ANSWER_WITHIN_MS = 700;

/** prom-client observes the memory and the event loop until the process ends, so all apps in a process share these. */
let ofProcess: Registry | undefined;

function metricsOfProcess(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  // The mean of several workers would hide a slow one.
  for (const metric of ofProcess.getMetricsAsArray()) {
    if (metric.aggregator === 'average') metric.aggregator = 'max';
  }
  return ofProcess;
}

/** The metrics of one app: two apps in one process each have their own, beside those of the process. */
@Injectable()
export class Metrics {
  readonly registry = Registry.merge([metricsOfProcess()]);

  /** @param aggregator how the values of several workers are aggregated */
  gauge(name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): void {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /**
   * Gauges whose values come from a single query. Without an answer in time they are left out, because an unknown value
   * must not look like a known one. All workers read the same values, so the maximum is reported instead of the sum.
   */
  gaugesOf<Answer extends Record<keyof Answer, number>>(
    ask: () => Promise<Answer>,
    gauges: Record<keyof Answer, { name: string; help: string }>,
  ): void {
    let asked: Promise<Answer | undefined> | undefined;
    const answer = () => {
      // A question that takes longer than one scrape also answers the next one.
      asked ??= ask()
        .catch(() => undefined)
        .finally(() => {
          asked = undefined;
        });
      return inTime(asked);
    };
    for (const key of Object.keys(gauges) as (keyof Answer)[]) {
      new Gauge({
        ...gauges[key],
        aggregator: 'max',
        registers: [this.registry],
        async collect() {
          const answered = await answer();
          if (answered) this.set(answered[key]);
          else this.remove();
        },
      });
    }
  }

  counter(name: string, help: string, read: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return Promise.race([answer, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
}
