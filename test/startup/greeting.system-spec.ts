import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app';
import { loadConfig } from '../../src/load-config';
import { DatabaseStartup } from '../../src/database/database-startup';
import { openEmbeddedDatabase } from '@user-administration/pglite-server';
import { greeting } from '../../src/greeting';
import { prepareEmbeddedDirectory } from '../../src/plugins/transfer/first-run';
import { migratedSnapshot } from '../support/snapshots';
import { UserAdmin } from '../cli/user-admin';
import { DEMOS } from '../support/demos';

// Each embedded database in a folder takes seconds.
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'greeting-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const TOKEN =
  /^Swagger UI: (http:\/\/127\.0\.0\.1:\d+)\/api\/docs#token=(\S+)\nAdministration: \1\/admin#token=\2\nAdministrator token \(valid for 8 hours\): \2\n$/;
const NO_TOKEN = /^Swagger UI: (http:\/\/127\.0\.0\.1:\d+)\/api\/docs\nAdministration: \1\/admin\n$/;

/** What a start on the embedded database in the folder prints. */
async function start(): Promise<string> {
  const config = loadConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' });
  const app = await createApp(config);
  try {
    await app.get(DatabaseStartup).ready();
    const isDemo = await prepareEmbeddedDirectory(app, DEMOS);
    await app.listen(config.port, config.host);
    return await greeting(app, config, isDemo);
  } finally {
    await app.close();
  }
}

describe('the greeting on the embedded database', () => {
  it("has an administrator's token at each start if the service itself loaded the demo directory", async () => {
    await (await openEmbeddedDatabase({ dataDir: folder, snapshot: migratedSnapshot })).close();
    expect(await start()).toMatch(TOKEN);
    expect(await start()).toMatch(TOKEN);
  });

  it('has no token if others created the records, even if they have the ids of the demo directory', async () => {
    const tool = new UserAdmin({ DATA_DIR: folder });
    const records = [
      '{"permission":{"id":"any","grants":"administrator"}}',
      '{"user":{"id":"ada","permissions":["any"]}}',
    ];
    expect(await tool.run(['directory', 'import', '-'], records.join('\n'))).toMatchObject({ exitCode: 0 });
    tool.dispose();
    expect(await start()).toMatch(NO_TOKEN);
  });
});
