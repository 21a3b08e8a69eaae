import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * One address for several processes, as a load balancer is: it gives each connection to the next process that is ready and
 * accepts it. A connection ends with its process.
 */
export class Balancer {
  private readonly server = createServer((caller) => this.give(caller, this.next++, this.ready.length));
  private next = 0;

  private constructor(private ready: readonly number[]) {}

  static async over(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports);
    await once(balancer.server.listen(0, '127.0.0.1').unref(), 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Does what its checks of `/health/ready` would do. It learns of the end of a process by itself. */
  setReady(port: number, isReady: boolean): void {
    this.ready = [...this.ready.filter((other) => other !== port), ...(isReady ? [port] : [])];
  }

  private give(caller: Socket, turn: number, tries: number): void {
    if (tries <= 0) return void caller.destroy();
    const process = connect(this.ready[turn % this.ready.length] as number, '127.0.0.1');
    const goOn = () => this.give(caller, turn + 1, tries - 1);
    process.once('error', goOn);
    process.once('connect', () => {
      process.off('error', goOn);
      for (const [one, other] of [
        [process, caller],
        [caller, process],
      ] as const) {
        one.on('error', () => undefined).on('close', () => other.destroy());
        one.pipe(other);
      }
    });
  }
}
