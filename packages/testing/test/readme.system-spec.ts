import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import * as service from '../../../src/app';
import { loadConfig } from '../../../src/load-config';
import { loadDemoDirectory } from '../../../src/plugins/transfer/demo-directory';
import { startTestService } from '../../../test/support/test-service';
import { UserTypeService } from '../../../src/users/user-type/user-type.service';
import { builtKit, type UserAdministration } from './built-kit';
import { DEMOS } from '../../../test/support/demos';

const testing = builtKit();

/** What the snippets import. */
const PACKAGES: Readonly<Record<string, object>> = {
  'node:assert/strict': assert,
  '@user-administration/service': service,
  '@user-administration/service/config': { loadConfig },
  '@user-administration/testing': testing,
};

/** The first snippet of a chapter of a page. */
function snippetOf(page: string, chapter: string): string {
  const text = readFileSync(join(__dirname, '../../..', page), 'utf8');
  const [, found = ''] = text.split(`\n## ${chapter}\n`);
  return /^```ts\n([\s\S]*?)^```$/m.exec(found)?.[1] ?? '';
}

/** Runs a module that waits at its top, and gives what it printed. */
async function run(code: string): Promise<unknown[][]> {
  const printed: unknown[][] = [];
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const body = outputText
    .replace(
      /^import (\{.*\}) from '(.*)';$/gm,
      (_, names: string, from: string) => `const ${names} = load('${from}');`,
    )
    .replace(/^import (\w+) from '(.*)';$/gm, (_, name: string, from: string) => `const ${name} = load('${from}');`)
    .replace(/^export \{\};$/gm, '');
  const load = (name: string): unknown => PACKAGES[name];
  const AsyncFunction = Object.getPrototypeOf(run).constructor as new (...parts: string[]) => typeof run;
  const module = new AsyncFunction('load', 'console', body) as unknown as (...given: unknown[]) => Promise<void>;
  await module(load, { log: (...words: unknown[]) => printed.push(words) });
  return printed;
}

describe('the snippets of the pages', () => {
  let users: UserAdministration;

  beforeAll(async () => {
    users = await testing.startUserAdministration();
  });
  afterAll(() => users.close());
  beforeEach(async () => {
    await users.reset();
    process.env.USERS_URL = users.url;
    process.env.USERS_TOKEN = users.serviceToken();
  });

  it('start the service in a test', async () => {
    expect(await run(snippetOf('packages/testing/README.md', 'Test with it'))).toEqual([]);
  });

  it('extend the service', async () => {
    const running = await startTestService();
    try {
      await loadDemoDirectory(running.dataSource, running.app.get(UserTypeService), DEMOS);
      process.env.DATABASE_URL = running.config.databaseUrl;
      process.env.LOG_LEVEL = 'silent';
      await run(snippetOf('docs/ARCHITECTURE.md', 'Build on it'));
      const journal = await fetch(`${running.url}/api/journal?user=ben&limit=1`, {
        headers: { authorization: `Bearer ${running.serviceToken()}` },
      });
      expect(await journal.json()).toMatchObject({
        entries: [
          {
            action: 'user.workspaces.assigned',
            actor: { kind: 'service', id: 'provisioning' },
            workspaces: ['cosmos'],
          },
        ],
      });
    } finally {
      await running.close();
    }
  });
});
