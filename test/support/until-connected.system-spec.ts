import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilConnected } from './until-connected';

describe('the wait for a server of a test, while a stranger listens on its port', () => {
  const BOUNDS = { connectMs: 100, patienceMs: 300 };
  const sockets: Socket[] = [];
  let folder: string;
  let log: string;
  let stranger: Server;
  let url: string;
  let server: ChildProcess;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'until-connected-'));
    log = join(folder, 'log');
    writeFileSync(log, 'FATAL: could not create any TCP/IP sockets\n');
    stranger = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    url = `postgres://postgres@127.0.0.1:${(stranger.address() as AddressInfo).port}/postgres`;
  });
  afterEach(() => {
    server.kill('SIGKILL');
    for (const socket of sockets.splice(0)) socket.destroy();
    stranger.close();
    rmSync(folder, { recursive: true });
  });

  const run = (script: string) => spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
  const address = () => new URL(url).host;

  it.each([
    ['of its own accord', 'process.exit(1)'],
    ['by a signal', 'process.kill(process.pid, "SIGKILL")'],
  ])('ends with the log of a server that has ended %s', async (_, script) => {
    server = run(script);
    await once(server, 'exit');
    await expect(untilConnected(server, url, log, BOUNDS)).rejects.toThrow(
      `The server at ${address()} has ended:\nFATAL: could not create any TCP/IP sockets\n`,
    );
  });

  it('ends with the log of a server that goes on without answering', async () => {
    server = run('setInterval(() => undefined, 1_000)');
    await expect(untilConnected(server, url, log, BOUNDS)).rejects.toThrow(
      `The server at ${address()} has not answered within 0.3 s:\nFATAL: could not create any TCP/IP sockets\n`,
    );
  });
});
