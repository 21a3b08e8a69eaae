// Talks to the server for agents as their programs do: lines of JSON over its standard input and output.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const bin = join(import.meta.dirname, 'node_modules/.bin/user-administration-mcp');
const server = spawn(bin, ['--url', 'http://127.0.0.1:9', '--allow-changes'], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, USER_ADMINISTRATION_TOKEN: 'none' },
});
const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

async function ask(id, method, params) {
  send({ id, method, params });
  const { value } = await lines.next();
  return JSON.parse(value).result;
}

const clientInfo = { name: 'agent', version: '1' };
const { serverInfo } = await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
assert.equal(serverInfo.name, 'user-administration');
send({ method: 'notifications/initialized' });
const { tools } = await ask(2, 'tools/list', {});
assert.ok(tools.some(({ name }) => name === 'undo'));
server.stdin.end();
assert.deepEqual(await once(server, 'exit'), [0, null]);
console.log('ok');
