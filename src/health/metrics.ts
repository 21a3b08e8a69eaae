import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Aggregator, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** Less than a worker is given for all of its numbers. */
const ANSWER_WITHIN_MS = 700;

/** A number that is kept elsewhere, and read when somebody asks. */
interface Reading {
  name: string;
  help: string;
  read(): number;
  /** What stands for all workers together, where there are several; left out, the sum. */
  together?: Aggregator;
}

/** The numbers of one app: two apps in one process each have their own. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // The mean of several workers would hide the one that is late.
    for (const metric of this.registry.getMetricsAsArray()) {
      if (metric.aggregator === 'average') metric.aggregator = 'max';
    }
  }

  /** A number that goes up and down. */
  gauge({ name, help, read, together = 'sum' }: Reading): void {
    new Gauge({
      name,
      help,
      aggregator: together,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /**
   * Numbers that one question answers. It is asked once for all of them, and without an answer in time they are left out: a
   * number that is not known must not look like one that is. All workers are told the same, so together they tell it once.
   */
  gaugesOf<Answer extends Record<keyof Answer, number>>(
    ask: () => Promise<Answer>,
    gauges: Record<keyof Answer, Pick<Reading, 'name' | 'help'>>,
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

  /** A number that only goes up, for as long as the process lives. */
  counter({ name, help, read }: Reading): void {
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
