import { randomBytes } from 'node:crypto';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { createApp } from '../app';
import { signAccessToken } from '../auth/sign-access-token';
import { loadConfig } from '../config/load-config';
import { DatabaseStartup } from '../database/database-startup';
import { openEmbeddedDatabase } from '../database/embedded/embedded-database';
import { preparedBlob } from '../database/snapshots';
import { loadDemoDirectory } from '../directory-transfer/demo-directory';
import { addressOf, listen } from '../server/listen';
import { UserTypeService } from '../users/user-type.service';

/** The service on a free port, with the demo directory in a database that ends with it. */
export interface DemoService {
  url: string;
  dataSource: DataSource;
  tokenOf(userId: string): string;
  close(): Promise<void>;
}

/** Starts the service without the variables of the environment, because a demo must never use a real directory. */
export async function startDemoService(): Promise<DemoService> {
  const database = await openEmbeddedDatabase({ inMemory: true, snapshot: await preparedBlob() });
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '1',
    JWT_SECRET: randomBytes(32).toString('hex'),
  });
  const app = await createApp(config);
  await app.get(DatabaseStartup).ready();
  const dataSource = app.get<DataSource>(getDataSourceToken());
  await loadDemoDirectory(dataSource, app.get(UserTypeService));
  await listen(app, config);
  return {
    url: addressOf(app),
    dataSource,
    tokenOf: (sub) => signAccessToken(config.accessTokens, { sub, expiresIn: 300 }),
    close: async () => {
      const closed = app.close();
      app.getHttpServer().closeAllConnections();
      await closed;
      await database.close();
    },
  };
}
