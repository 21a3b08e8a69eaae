import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import { signAccessToken } from '@user-administration/access-tokens/keys';
import { type DataSource, In } from 'typeorm';
import type { Config } from './config/config';
import { User } from './directory/user.entity';
import { addressOf } from './server/listen';

const TOKEN_HOURS = 8;

/** The addresses of Swagger UI, and of the administrators' page if there is one. */
export function addressesOf(app: NestExpressApplication, { publicUrl, adminPage }: Config) {
  const base = publicUrl || addressOf(app);
  return { page: `${base}/api/docs`, ...(adminPage && { administration: `${base}/admin` }) };
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
  const { page, administration } = addressesOf(app, config);
  const lines = [`Swagger UI: ${page}${fragment}`];
  if (administration) lines.push(`Administration: ${administration}${fragment}`);
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
