// The process that `startUserAdministration` starts. It ends with its parent process.
import '../../../src/supported-node';
import 'reflect-metadata';
import { ControlServer } from './control-server';
import { Emulator } from './emulator';
import type { EmulatorAnswer, EmulatorCalls, EmulatorRequest } from './emulator-messages';
import { explain } from './explain';
import { newKeyPair } from './issuer';
import { keySetVariables } from './key-set-variables';

/** How long closing may take after the parent process has ended. */
const END_WITHIN_MS = 5_000;

let controls: ControlServer | undefined;
let starting: Promise<Emulator> | undefined;
let running: Emulator | undefined;
let closing: Promise<void> | undefined;

const CALLS: EmulatorCalls = {
  async start({ tokens, controls: address, env, ...options }) {
    const keyPair = tokens === 'RS256' ? await newKeyPair() : undefined;
    controls = await ControlServer.listen(address, keyPair);
    const variables = keyPair ? { ...env, ...keySetVariables(controls, env) } : env;
    starting = Emulator.start({ ...options, env: variables, privateKey: keyPair?.privateKey });
    running = await starting;
    controls.serve(running);
    const { url, databaseUrl, issuer } = running;
    const jwksUri = keyPair && controls.keySetUrl;
    return { url, control: controls.url, jwksUri, databaseUrl, issuer, now: Date.now() };
  },
  reset: (directory) => emulator().reset(directory),
  records: () => emulator().records(),
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
  closing ??= (async () => {
    controls?.close();
    await (await starting?.catch(() => undefined))?.close();
  })();
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

process.on('message', (request: EmulatorRequest) => void answer(request));
process.on('disconnect', () => void endWithParent());
// Ctrl+C reaches the whole group of processes. The parent process decides.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
