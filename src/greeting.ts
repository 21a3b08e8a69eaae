import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { type DataSource, In } from 'typeorm';
import type { Config } from './config/config';
import { User } from './directory/user.entity';
import { APP_PARTS, type AppPart, type PageForPeople } from './plugins/plugin';
import { addressOf } from './server/listen';

const TOKEN_HOURS = 8;
const SWAGGER_UI: PageForPeople = { name: 'page', label: 'Swagger UI', path: '/api/docs' };

/** The addresses of Swagger UI and of the pages of plugins, with what a log and a person call them. */
export function addressesOf(app: NestExpressApplication, config: Config): (PageForPeople & { address: string })[] {
  const base = config.publicUrl || addressOf(app);
  const pages = app.get<readonly AppPart[]>(APP_PARTS).flatMap((part) => part.page?.(config) ?? []);
  return [SWAGGER_UI, ...pages].map((page) => ({ ...page, address: base + page.path }));
}

/**
 * The text that a start prints: the addresses and, for the demo directory, a token of one of its administrators.
 */
export async function greeting(
  app: NestExpressApplication,
  config: Config,
  administrators: readonly string[] = [],
): Promise<string> {
  const token = await administratorToken(app, config, administrators);
  // The pages sign in with a token in the fragment, which a browser does not send to the server.
  const fragment = token ? `#token=${token}` : '';
  const lines = addressesOf(app, config).map(({ label, address }) => `${label}: ${address}${fragment}`);
  if (token) lines.push(`Administrator token (valid for ${TOKEN_HOURS} hours): ${token}`);
  return `${lines.join('\n')}\n`;
}

async function administratorToken(
  app: NestExpressApplication,
  config: Config,
  administrators: readonly string[],
): Promise<string | undefined> {
  if (administrators.length === 0 || config.production || config.accessTokens.key.kind !== 'secret') return undefined;
  const administrator = await app.get<DataSource>(getDataSourceToken()).manager.findOne(User, {
    where: { id: In(administrators), type: 'administrator', status: 'active' },
    order: { id: 'ASC' },
  });
  if (!administrator) return undefined;
  return signAccessToken(config.accessTokens, { sub: administrator.id, expiresIn: TOKEN_HOURS * 3600 });
}
