import { HttpConnection } from './http-connection';
import { quantile } from './statistics';

export interface Load {
  connections: number;
  /** The sample ends after this time, or after so many requests of each connection. */
  seconds: number;
  requests?: number;
  expected: number;
  next(): string;
}

/** What the client measures in one sample of one contestant. Times are in milliseconds. */
export interface ClientFigures {
  requests: number;
  perSecond: number;
  median: number;
  p99: number;
  max: number;
  errors: number;
  /** CPU time of this process (the client) for one request. */
  clientCpu: number;
}

/** Sends requests on a number of connections, each the next one as soon as it has an answer. */
export async function closedLoop(port: number, load: Load): Promise<ClientFigures> {
  const connections = await Promise.all(Array.from({ length: load.connections }, () => HttpConnection.open(port)));
  const times: number[] = [];
  let errors = 0;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const end = load.requests === undefined ? begin + load.seconds * 1000 : Infinity;
  const work = async (connection: HttpConnection): Promise<void> => {
    for (let sent = 0; sent < (load.requests ?? Infinity) && performance.now() < end; sent++) {
      const request = load.next();
      const sentAt = performance.now();
      if ((await connection.send(request)) !== load.expected) errors++;
      times.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(connections.map(work));
  } finally {
    connections.forEach((connection) => connection.close());
  }
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = performance.now() - begin;
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: (times.length / elapsed) * 1000,
    median: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: times.at(-1) ?? NaN,
    errors,
    clientCpu: (user + system) / 1000 / times.length,
  };
}
