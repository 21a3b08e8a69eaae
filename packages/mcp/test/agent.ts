import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

const SERVER = 'packages/mcp/dist/command-line.js';

/** An agent: the client of the protocol's own package, which compares each answer with the schema of its tool. */
export class Agent {
  private constructor(readonly client: Client) {}

  static async start(url: string, token: string, ...options: string[]): Promise<Agent> {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const env = { USER_ADMINISTRATION_TOKEN: token, PATH: process.env.PATH ?? '' };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [SERVER, '--url', url, ...options], env }),
    );
    await client.listTools();
    return new Agent(client);
  }

  async call(name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: given })) as CallToolResult;
  }

  /** The answer of a tool that succeeds. */
  async ask<Answer = Record<string, unknown>>(name: string, given: Record<string, unknown> = {}): Promise<Answer> {
    const { isError, structuredContent, content } = await this.call(name, given);
    expect({ isError: isError ?? false, structuredContent }).toMatchObject({ isError: false });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    return structuredContent as Answer;
  }

  /** What a tool that fails says. */
  async fail(name: string, given: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { isError, structuredContent, content } = await this.call(name, given);
    expect({ isError, structuredContent }).toMatchObject({ isError: true });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
    return structuredContent as Record<string, unknown>;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
