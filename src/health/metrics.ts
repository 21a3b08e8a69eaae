import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** Prometheus gives up after ten seconds by default, and the other metrics must not be lost with these. */
const ANSWER_WITHIN_MS = 700;

/** prom-client observes the memory and the event loop until the process ends, so all apps in a process share these. */
let ofProcess: Registry | undefined;

function metricsOfProcess(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** The metrics of one app: two apps in one process each have their own, beside those of the process. */
@Injectable()
export class Metrics {
  readonly registry = Registry.merge([metricsOfProcess()]);

  /** Gauges by name: the description, and the value when it is read. */
  gauges(gauges: Readonly<Record<string, [help: string, read: () => number]>>): void {
    for (const [name, [help, read]] of Object.entries(gauges)) {
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(read());
        },
      });
    }
  }

  /** As {@link gauges}, for numbers that only grow. */
  counters(counters: Readonly<Record<string, [help: string, read: () => number]>>): void {
    for (const [name, [help, read]] of Object.entries(counters)) {
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

  /**
   * Gauges whose values come from a single query. Without an answer in time they are left out, because an unknown value
   * must not look like a known one.
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
        registers: [this.registry],
        async collect() {
          const answered = await answer();
          if (answered) this.set(answered[key]);
          else this.remove();
        },
      });
    }
  }
}

async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return Promise.race([answer, delay(ANSWER_WITHIN_MS, undefined, { ref: false })]);
}
