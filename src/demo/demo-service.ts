import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createApp } from '../app';
import { signAccessToken } from '../auth/sign-access-token';
import { loadConfig } from '../config/load-config';
import { DatabaseStartup } from '../database/database-startup';
import { prepareEmbeddedDirectory } from '../directory-transfer/first-run';
import { addressOf } from '../server/listen';

/** The service on a free port, with the demo directory in a database that ends with it. */
export interface DemoService {
  url: string;
  dataSource: DataSource;
  tokenOf(userId: string): string;
  /** Stops the service and removes all its files. */
  close(): Promise<void>;
}

/** Starts the service like `npm start`, but ignores the environment: a demo must never use a real directory. */
export async function startDemoService(): Promise<DemoService> {
  const folder = await mkdtemp(join(tmpdir(), 'user-administration-demo-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const config = loadConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const app = await createApp(config);
    await app.get(DatabaseStartup).ready();
    await prepareEmbeddedDirectory(app);
    await app.listen(config.port, config.host);
    return {
      url: addressOf(app),
      dataSource: app.get<DataSource>(getDataSourceToken()),
      tokenOf: (userId) => signAccessToken(config.accessTokens, { sub: userId, expiresIn: 300 }),
      close: () => app.close().finally(removeFolder),
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
