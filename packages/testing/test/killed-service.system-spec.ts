import { type ChildProcess, execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Kit from '../src/emulator-process';

const BUILT = join(__dirname, '../build/emulator-process.js');
const { EmulatorProcess } = createRequire(__filename)(BUILT) as typeof Kit;

it('closing a service that was killed succeeds, also before its end is noticed', async () => {
  const emulator = new EmulatorProcess();
  await emulator.call('start', { tokens: 'HS256', controls: { port: 0, host: '127.0.0.1' } });
  const child = Reflect.get(emulator, 'child') as ChildProcess;
  child.kill('SIGKILL');
  // Synchronously, so that this process cannot notice the end.
  execFileSync('sh', ['-c', `until ps -o stat= -p ${child.pid} | grep -q Z; do :; done`]);

  await expect(emulator.close()).resolves.toBeUndefined();
  expect(child.signalCode).toBe('SIGKILL');
});
