import { closedLoop, type ClientFigures } from './closed-loop';
import type { Contestant } from './contestant';
import type { Workload } from './workload';

/** One sample of one contestant, with the figures of its process. */
export interface Sample extends ClientFigures {
  /** CPU time of the server's process for one request; the database's is not in it. */
  serverCpu: number;
  eventLoopDelayP99Ms: number;
}

/** The samples of each contestant by its name. Samples of the same index were taken next to each other. */
export type Samples = Record<string, Sample[]>;

/** Until V8 has compiled the hot code, a sample measures the compiler. It takes requests, not time. */
const WARM_UP_REQUESTS = 8_000;
/** The highest concurrency, for the most requests in the least time. */
const WARM_UP_CONNECTIONS = 32;

/** Takes the samples of the contestants in alternating order, so that a disturbance affects all of them. */
export async function measure(
  contestants: readonly Contestant[],
  workload: Workload,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Samples> {
  const samples: Samples = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  const isSlow = (contestant: Contestant) => workload.usualWay === 'once' && contestant.name === 'usual way';
  for (const contestant of contestants) {
    if (!isSlow(contestant)) await warmUp(contestant, workload, { rounds, seconds });
  }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const contestant of order) {
      if (round > 0 && isSlow(contestant)) continue;
      const load = isSlow(contestant) ? { ...workload, requests: 1 } : workload;
      samples[contestant.name]?.push(await takeSample(contestant, load, seconds));
    }
  }
  return samples;
}

/** Takes at most as many samples as are measured, because a slow contestant would take minutes. */
async function warmUp(
  contestant: Contestant,
  workload: Workload,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const isBulk = workload.requests !== undefined;
  const load = isBulk ? workload : { ...workload, connections: WARM_UP_CONNECTIONS };
  for (let taken = 0, served = 0; taken < (isBulk ? 1 : rounds) && served < WARM_UP_REQUESTS; taken++) {
    served += (await takeSample(contestant, load, seconds)).requests;
  }
}

async function takeSample(contestant: Contestant, workload: Workload, seconds: number): Promise<Sample> {
  await contestant.probe();
  const figures = await closedLoop(contestant.port, { ...workload, seconds });
  const { cpuMs, eventLoopDelayP99Ms } = await contestant.probe();
  return { ...figures, serverCpu: cpuMs / figures.requests, eventLoopDelayP99Ms };
}
