import { closedLoop, type Turn } from './closed-loop';
import type { Contestant } from './contestant';
import type { Workload } from './workloads';

/** One turn of one contestant, with the figures of its process. */
export interface Sample extends Turn {
  /** CPU time of the server's process for one request; the database's is not in it. */
  serverCpu: number;
  eventLoopDelayP99Ms: number;
}

/** The turns of each contestant by its name. Turns of the same index were taken next to each other. */
export type Samples = Record<string, Sample[]>;

/** Until V8 has compiled the hot code, a turn measures the compiler. That depends on the number of requests, not on time. */
const WARM_UP_REQUESTS = 8_000;
/** The highest concurrency, for the most requests in the least time. */
const WARM_UP_CONNECTIONS = 32;

/** Runs the turns of the contestants one after the other in changing order, so that a disturbance affects all of them. */
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
      const turn = isSlow(contestant) ? { ...workload, requests: 1 } : workload;
      samples[contestant.name]?.push(await takeTurn(contestant, turn, seconds));
    }
  }
  return samples;
}

/** At most as many turns as are measured, because a slow contestant would take minutes. */
async function warmUp(
  contestant: Contestant,
  workload: Workload,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const isBulk = workload.requests !== undefined;
  const turn = isBulk ? workload : { ...workload, connections: WARM_UP_CONNECTIONS };
  for (let turns = 0, served = 0; turns < (isBulk ? 1 : rounds) && served < WARM_UP_REQUESTS; turns++) {
    served += (await takeTurn(contestant, turn, seconds)).requests;
  }
}

async function takeTurn(contestant: Contestant, workload: Workload, seconds: number): Promise<Sample> {
  await contestant.probe();
  const turn = await closedLoop(contestant.port, { ...workload, seconds });
  const { cpuMs, eventLoopDelayP99Ms } = await contestant.probe();
  return { ...turn, serverCpu: cpuMs / turn.requests, eventLoopDelayP99Ms };
}
