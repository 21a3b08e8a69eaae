// The process that `startUserAdministration` starts. It ends with its parent process.
import '../../../src/supported-node';
import 'reflect-metadata';
import { ImportError } from '../../../src/directory-transfer/import-error';
import { Emulator } from './emulator';
import type { EmulatorAnswer, EmulatorCalls, EmulatorRequest } from './emulator-messages';

/** How long closing may take after the parent process has ended. */
const END_WITHIN_MS = 5_000;

let starting: Promise<Emulator> | undefined;
let running: Emulator | undefined;
let closing: Promise<void> | undefined;

const CALLS: EmulatorCalls = {
  async start(options) {
    starting = Emulator.start(options);
    running = await starting;
    const { url, databaseUrl, accessTokens } = running;
    return { url, databaseUrl, accessTokens, now: Date.now() };
  },
  reset: (directory) => emulator().reset(directory),
  deliverTo: (receiver) => emulator().deliverTo(receiver),
  failNext: (failure) => emulator().failNext(failure),
  advanceClock: (seconds) => emulator().advanceClock(seconds),
  events: (after, wait) => emulator().events(after, wait),
  firstEvent: (type) => emulator().firstEvent(type),
  close,
};

function emulator(): Emulator {
  if (!running) throw new Error('The service has not been started.');
  return running;
}

/** Closes the service once, even if the parent process ends while it closes. */
function close(): Promise<void> {
  closing ??= (async () => (await starting?.catch(() => undefined))?.close())();
  return closing;
}

/** The parent process has ended, perhaps killed: a temporary database on a server must not stay behind. */
async function endWithParent(): Promise<void> {
  setTimeout(() => process.exit(), END_WITHIN_MS);
  await close().catch(() => undefined);
  process.exit();
}

async function answer({ number, call, given }: EmulatorRequest): Promise<void> {
  const reply: EmulatorAnswer = { number };
  try {
    reply.result = await (CALLS[call] as (...values: unknown[]) => unknown)(...given);
  } catch (error) {
    reply.problem = explain(error);
  }
  if (process.connected) process.send?.(reply);
}

function explain(error: unknown): string {
  if (error instanceof ImportError) return `The directory cannot be loaded. ${error.message}.`;
  if (error instanceof RangeError) return error.message;
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  return code === undefined ? message : `${message} (${code})`;
}

process.on('message', (request: EmulatorRequest) => void answer(request));
process.on('disconnect', () => void endWithParent());
// Ctrl+C reaches the whole group of processes. The parent process decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
