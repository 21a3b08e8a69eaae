import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const TOOL = 'packages/testing/build/command-line.js';

/** What the emulator prints when it is ready. */
export interface Ready {
  url: string;
  token: string;
  control: string;
  issuer?: string;
  jwksUri?: string;
}

/** The emulator as a suite in another language starts it. */
export async function startEmulator(
  ...options: string[]
): Promise<{ ready: Ready; tool: ChildProcess; stop(): Promise<unknown> }> {
  const tool = spawn(process.execPath, [TOOL, ...options], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(tool, 'exit');
  const [line] = (await once(createInterface(tool.stdout), 'line')) as [string];
  const stop = () => {
    tool.stdin.end();
    return ended;
  };
  return { ready: JSON.parse(line) as Ready, tool, stop };
}
