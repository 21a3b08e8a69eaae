import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { StartupQuietLogger } from './server/startup-quiet.logger';
import { AppModule } from './app.module';
import type { Config } from './config/config';
import { BoundedExpressAdapter } from './server/bounded-express.adapter';
import { requireHost } from './server/host-header';
import { createLogger } from './server/logging.module';
import { serveDocs } from './openapi/openapi-ui';
import { logRequests } from './server/request-log';
import { RouteTable } from './server/route-table';
import { securityHeaders } from './server/security-headers';
import { operationsTakePostAlone } from './users/operation-paths';
import { UserTypeService } from './users/user-type.service';

export interface AppOptions {
  /** A rule of your own for user types, in place of the one of {@link UserTypeService}. */
  userTypes?: Type<UserTypeService>;
}

/**
 * The one way to build the app, for production, tests and the OpenAPI document alike.
 *
 * @example
 * const app = await createApp(loadConfig());
 * await app.listen(3000);
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<NestExpressApplication> {
  const logger = createLogger(config);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(config, logger, options.userTypes ?? UserTypeService),
    new BoundedExpressAdapter(config.httpBounds),
    { bodyParser: false, logger: StartupQuietLogger.on(logger), abortOnError: false },
  );
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.fairUse.trustedProxies);
  app.use(logRequests(logger, app.get(RouteTable)));
  app.use(securityHeaders());
  app.use(requireHost);
  app.use(operationsTakePostAlone);
  serveDocs(app);
  await app.init();
  return app;
}
