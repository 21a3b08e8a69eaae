import { randomBytes } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type AppOptions, createApp } from '../../../src/app';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import type { Config } from '../../../src/config/config';
import type { Environment } from '../../../src/config/environment';
import { loadConfig } from '../../../src/load-config';
import type { AccessTokenConfig } from '../../../src/config/token.config';
import type { OpenedDatabase } from '@user-administration/postgres';
import { DatabaseStartup } from '../../../src/database/database-startup';
import { addressOf, listen } from '../../../src/server/listen';
import type { PlannedFailure } from './planned-failure';
import { PlannedFailures } from './planned-failures';

export interface ServiceOptions extends AppOptions {
  /** The caller closes it after the service. */
  database: Pick<OpenedDatabase, 'url' | 'poolSize'>;
  /** Variables that differ from those of a test, such as `JWT_PUBLIC_KEY`. */
  environment?: Environment;
}

/** The service, running on a free port of this machine. */
export interface RunningService {
  url: string;
  app: NestExpressApplication;
  config: Config;
  dataSource: DataSource;
  /** An access token of this user, valid for five minutes by default. */
  tokenOf(sub: string, claims?: { scope?: string; expiresIn?: number }): string;
  serviceToken(): string;
  failNext(failure: PlannedFailure): void;
  close(): Promise<void>;
}

/** Starts the whole service for tests, exactly as production builds it, with a secret of its own and without fair use. */
export async function startService({ database, environment, ...options }: ServiceOptions): Promise<RunningService> {
  const config = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    FAIR_USE_PER_ADDRESS: '0',
    FAIR_USE_PER_CALLER: '0',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: String(database.poolSize),
    JWT_SECRET: randomBytes(32).toString('hex'),
    ...environment,
  });
  const failures = new PlannedFailures();
  const app = await createApp(config, { ...options, beforeRoutes: failures.handler });
  try {
    await app.get(DatabaseStartup).ready();
    await listen(app, config);
  } catch (error) {
    await app.close();
    throw error;
  }
  return {
    url: addressOf(app),
    app,
    config,
    dataSource: app.get<DataSource>(getDataSourceToken()),
    ...tokensFor(config.accessTokens),
    failNext: (failure) => failures.plan(failure),
    close: async () => {
      const server = app.getHttpServer();
      // Accepts nothing more before the connections end: `fetch` replaces the connection of an aborted request at once
      // by one on which no request may ever come.
      server.close();
      server.closeAllConnections();
      await app.close();
    },
  };
}

/** Signs access tokens for a service with these settings, whichever process it runs in. */
export function tokensFor(accessTokens: AccessTokenConfig): Pick<RunningService, 'tokenOf' | 'serviceToken'> {
  const tokenOf: RunningService['tokenOf'] = (sub, claims) =>
    signAccessToken(accessTokens, { sub, expiresIn: 300, ...claims });
  return { tokenOf, serviceToken: () => tokenOf('calling-service', { scope: accessTokens.adminScope }) };
}
