import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type AppOptions, createApp } from '../app';
import { signAccessToken } from '../auth/sign-access-token';
import type { AccessTokenConfig, Config } from '../config/config';
import { loadConfig } from '../config/load-config';
import { testDatabaseIsolation } from '../config/test-environment';
import type { Environment } from '../config/environment';
import { DatabaseStartup } from '../database/database-startup';
import { DirectoryBuilder } from './directory-builder';
import { type PlannedFailure, PlannedFailures } from './planned-failures';
import { openTestDatabase } from './test-database';

interface TestServiceOptions extends AppOptions {
  /** Variables that differ from those of a test, such as `JWT_PUBLIC_KEY`. */
  environment?: Environment;
  /** A database to share with another service of the same test, instead of a new one. The caller closes it. */
  database?: { url: string; poolSize: number };
}

/** The service, running on a free port of this machine. */
export interface TestService {
  /** Base address, such as `http://127.0.0.1:49152`. */
  url: string;
  app: NestExpressApplication;
  config: Config;
  dataSource: DataSource;
  directory: DirectoryBuilder;
  /** An access token of this user, valid for five minutes by default. */
  tokenOf(sub: string, claims?: { scope?: string; expiresIn?: number }): string;
  /** An access token of a service, which is an administrator without a record in the directory. */
  serviceToken(): string;
  /** Lets the next requests fail, see {@link PlannedFailures}. */
  failNext(failure: PlannedFailure): void;
  close(): Promise<void>;
}

/**
 * Starts the whole service for an end-to-end test, exactly as production builds it, with a new database and its own
 * secret.
 *
 * @example
 * const service = await startTestService();
 * await service.directory.user('ada', { type: 'administrator' });
 * await fetch(`${service.url}/api/users/workspace-assign`, {
 *   method: 'POST',
 *   headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/json' },
 *   body: JSON.stringify({ userIds: ['ben'], workspaces: ['atlas'] }),
 * });
 * await service.close();
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const ownDatabase = options.database ? undefined : await openTestDatabase();
  const { url, poolSize } = (options.database ?? ownDatabase) as { url: string; poolSize: number };
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    FAIR_USE_PER_ADDRESS: '0',
    FAIR_USE_PER_CALLER: '0',
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: String(poolSize),
    DATABASE_ISOLATION: testDatabaseIsolation(),
    JWT_SECRET: randomBytes(32).toString('hex'),
    ...options.environment,
  });
  const failures = new PlannedFailures();
  const app = await createApp(config, { ...options, beforeRoutes: failures.handler });
  try {
    await app.get(DatabaseStartup).ready();
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    await ownDatabase?.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  const dataSource = app.get<DataSource>(getDataSourceToken());
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    config,
    dataSource,
    directory: new DirectoryBuilder(dataSource),
    ...tokensFor(config.accessTokens),
    failNext: (failure) => failures.plan(failure),
    close: async () => {
      const closed = app.close();
      // No answer is in progress any more, although a client may not have read its last one completely.
      app.getHttpServer().closeAllConnections();
      await closed;
      await ownDatabase?.close();
    },
  };
}

/** Signs access tokens for a service with these settings, whichever process it runs in. */
export function tokensFor(accessTokens: AccessTokenConfig): Pick<TestService, 'tokenOf' | 'serviceToken'> {
  const tokenOf: TestService['tokenOf'] = (sub, claims) =>
    signAccessToken(accessTokens, { sub, expiresIn: 300, ...claims });
  return { tokenOf, serviceToken: () => tokenOf('calling-service', { scope: accessTokens.adminScope }) };
}
