import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { eventually } from '../../../test/support/eventually';
import { freePort } from '../../../test/support/free-port';

const TOOL = ['packages/testing/build/command-line.js'];

describe('the command line of the emulator', () => {
  it('prints one line of JSON, serves the given directory, and ends when its input closes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'emulate-'));
    const file = join(folder, 'directory.ndjson');
    await writeFile(file, '{"user":{"id":"eva"}}\n');
    const tool = spawn(process.execPath, [...TOOL, '--directory', file, '--port', '0'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(tool, 'exit');
    const [line] = (await once(createInterface(tool.stdout), 'line')) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const response = await fetch(`${url}/api/users`, { headers: { authorization: `Bearer ${token}` } });
    expect(await response.json()).toMatchObject({ users: [{ id: 'eva' }], next: null });
    tool.stdin.end();
    expect(await ended).toEqual([0, null]);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
    await rm(folder, { recursive: true });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends by %s while it starts', async (signal) => {
    const controls = await freePort();
    const ready = () => fetch(`http://127.0.0.1:${controls}/ready`);
    const tool = spawn(process.execPath, [...TOOL, '--control-port', String(controls)], { stdio: 'ignore' });
    const ended = once(tool, 'exit');
    // The controls answer 503 before the service is there.
    await eventually(async () => void (await ready()));
    tool.kill(signal);
    expect(await ended).toEqual([0, null]);
    await eventually(() => expect(ready()).rejects.toThrow());
  });

  it('names the wrong line of the directory', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'emulate-'));
    const file = join(folder, 'directory.ndjson');
    await writeFile(file, '{"user":{"id":"eva"}}\n{"user":{"id":""}}\n');
    const tool = spawn(process.execPath, [...TOOL, '--directory', file], { stdio: ['pipe', 'pipe', 'pipe'] });
    const [said, [code]] = await Promise.all([text(tool.stderr), once(tool, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(/^user-admin-emulator: The directory cannot be loaded\. Line 2: /);
    await rm(folder, { recursive: true });
  });

  it('says that the file of the directory is not there', async () => {
    const tool = spawn(process.execPath, [...TOOL, '--directory', '/nope'], { stdio: ['pipe', 'pipe', 'pipe'] });
    const [said, [code]] = await Promise.all([text(tool.stderr), once(tool, 'exit')]);
    expect(code).toBe(1);
    expect(said).toBe('user-admin-emulator: Cannot read /nope: there is no such file.\n');
  });

  it('says what to do about a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const tool = spawn(process.execPath, [...TOOL, '--port', String(port)], { stdio: ['pipe', 'pipe', 'pipe'] });
    const [said, [code]] = await Promise.all([text(tool.stderr), once(tool, 'exit')]);
    other.close();
    expect(code).toBe(1);
    expect(said).toBe(
      `user-admin-emulator: The service cannot listen (EADDRINUSE): PORT ${port} of HOST 127.0.0.1 is in use. Stop the other process, or set PORT to another one.\n`,
    );
  });
});
