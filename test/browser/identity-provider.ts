import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A real identity provider in a process of its own. Anybody can sign in there by any name. */
export class IdentityProvider {
  private constructor(
    private readonly child: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(port: number, redirectUris: string[]): Promise<IdentityProvider> {
    const child = fork(join(__dirname, 'identity-provider.mjs'), [String(port), ...redirectUris], {
      execArgv: [],
      silent: true,
    });
    await once(child, 'message');
    return new IdentityProvider(child, `http://127.0.0.1:${port}`);
  }

  /** Changes its clock. */
  async set(state: { aheadMs: number }): Promise<void> {
    const changed = once(this.child, 'message');
    this.child.send(state);
    await changed;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}
