import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What Jest keeps of one test file on the global object. The next file of the same process begins without it. */
const STATE_OF_A_FILE = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES'];

/**
 * Runs a test file in the global scope of the process instead of a context of its own, so that it can share loaded modules
 * with other files (see `shared-modules.runner.ts`). Puts back what Jest and the file replace.
 */
export default class SharedModulesEnvironment implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  private readonly before = {
    console: globalThis.console,
    exit: process.exit,
    env: { ...process.env },
  };

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (STATE_OF_A_FILE.includes(key.description ?? '')) Reflect.deleteProperty(globalThis, key);
    }
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
  }

  /** There is no context but that of the process. */
  getVmContext(): null {
    return null;
  }
}
