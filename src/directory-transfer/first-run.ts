import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type DataSource, In } from 'typeorm';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import type { Config } from '../config/config';
import { beganAsDemo, DEMO_ADMINISTRATORS, type LoadConnection, loadDemoDirectory } from './demo-directory';
import { User } from '../directory/user.entity';
import { addressOf } from '../server/listen';
import { UserTypeService } from '../users/user-type/user-type.service';

const TOKEN_HOURS = 8;

/**
 * Loads the demo directory into an empty embedded database, so that a new user has something to administer.
 *
 * @returns whether the directory began as the demo directory, now or at an earlier start
 */
export async function prepareEmbeddedDirectory(
  app: NestExpressApplication,
  loadConnection: LoadConnection,
): Promise<boolean> {
  const dataSource = app.get<DataSource>(getDataSourceToken());
  return (await loadDemoDirectory(dataSource, app.get(UserTypeService), loadConnection)) || beganAsDemo(dataSource);
}

/** The addresses of Swagger UI, and of the administrators' page if there is one. */
export function addressesOf(app: NestExpressApplication, { publicUrl, adminPage }: Config) {
  const base = publicUrl || addressOf(app);
  return { page: `${base}/api/docs`, ...(adminPage && { administration: `${base}/admin` }) };
}

/** The text that a start prints: the addresses and, for the demo directory, a token of an administrator. */
export async function greeting(app: NestExpressApplication, config: Config, isDemo: boolean): Promise<string> {
  const token = isDemo ? await administratorToken(app, config) : undefined;
  // The pages sign in with a token in the fragment, which a browser does not send to the server.
  const fragment = token ? `#token=${token}` : '';
  const { page, administration } = addressesOf(app, config);
  const lines = [`Swagger UI: ${page}${fragment}`];
  if (administration) lines.push(`Administration: ${administration}${fragment}`);
  if (token) lines.push(`Administrator token (valid for ${TOKEN_HOURS} hours): ${token}`);
  return `${lines.join('\n')}\n`;
}

async function administratorToken(app: NestExpressApplication, config: Config): Promise<string | undefined> {
  if (config.production || config.accessTokens.key.kind !== 'secret') return undefined;
  const administrator = await app.get<DataSource>(getDataSourceToken()).manager.findOne(User, {
    where: { id: In(DEMO_ADMINISTRATORS), type: 'administrator', status: 'active' },
    order: { id: 'ASC' },
  });
  if (!administrator) return undefined;
  return signAccessToken(config.accessTokens, { sub: administrator.id, expiresIn: TOKEN_HOURS * 3600 });
}
