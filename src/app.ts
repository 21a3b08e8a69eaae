import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { I18nMiddleware } from 'nestjs-i18n';
import { AppModule } from './app.module';
import type { Config } from './config/config';
import { isIdentifier } from './contract/identifiers';
import { PLUGINS } from './installed-plugins';
import type { Plugin } from './plugins/plugin';
import {
  BoundedExpressAdapter,
  logRequests,
  NestLogger,
  parseQuery,
  RateLimitGuard,
  refuseAmbiguous,
  RequestsUnderWay,
  routeByPath,
  RouteTable,
  securityHeaders,
} from '@user-administration/http';
import { createLogger } from '@user-administration/http/log';
import { serveDocs } from './openapi/serve-docs';
import { SignIn } from './html-pages/sign-in';
import { operationsTakePostAlone } from './users/operation-paths';
import { UserTypeRule } from './users/user-type/user-type-rule';

// For applications that call the service in their own process: `app.get(AssignWorkspacesService)`.
export type { Bearer } from './auth/current-bearer.decorator';
export type { Attribution } from './contract/attribution';
export { ServiceError } from './contract/errors';
export { PLUGINS } from './installed-plugins';
export { DatabaseStartup } from './database/database-startup';
export { AssignStatusesService } from './users/assign-statuses.service';
export { AssignWorkspacesService } from './users/assign-workspaces.service';
export { ChangePermissionsService } from './users/change-permissions.service';
export { ManageStatusService } from './users/manage-status.service';
export { UnassignUsersService } from './users/unassign-users.service';

export interface AppOptions {
  /** Your own rule for user types. */
  userTypeRule?: Type<UserTypeRule>;
  /** By default those of the service: {@link PLUGINS}. */
  plugins?: readonly Plugin[];
  /** Middleware before the routes and their guards, such as planned failures in a test. */
  beforeRoutes?: RequestHandler;
}

/** Paths that a platform requests from each process. They have no rate limit. */
const PLATFORM_PATHS = /^\/(?:health|metrics)(?:\/|$)/;

/**
 * Builds the app, for production, tests and the OpenAPI document.
 *
 * @example
 * const app = await createApp(loadConfig());
 * await app.listen(3000);
 */
export async function createApp(config: Config, options: AppOptions = {}): Promise<NestExpressApplication> {
  const logger = createLogger(config);
  const { userTypeRule = UserTypeRule, plugins = PLUGINS } = options;
  const parts = plugins.map((plugin) => plugin.app?.() ?? {});
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.register(config, userTypeRule, plugins, parts),
    new BoundedExpressAdapter(config.httpBounds),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  app.set('trust proxy', config.fairUse.trustedProxies);
  app.get(RequestsUnderWay).observe(logRequests(logger, app.get(RouteTable), isIdentifier));
  app.use(securityHeaders);
  app.use(routeByPath(parts.flatMap(({ joinsSlashesBelow = [] }) => joinsSlashesBelow)));
  app.use(app.get(RateLimitGuard).ofAddress(PLATFORM_PATHS));
  app.use(refuseAmbiguous);
  app.use(operationsTakePostAlone);
  const languages = app.get(I18nMiddleware, { strict: false });
  app.use(languages.use.bind(languages));
  if (options.beforeRoutes) app.use(options.beforeRoutes);
  const signIn = SignIn.of(config);
  serveDocs(app, signIn);
  for (const part of parts) part.publicRoutes?.(app, signIn);
  await app.init();
  return app;
}
