import { Injectable } from '@nestjs/common';
import { type Aggregator, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

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
