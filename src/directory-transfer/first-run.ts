import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { signAccessToken } from '../auth/sign-access-token';
import type { Config } from '../config/config';
import { loadDemoDirectory } from './demo-directory';
import { UserTypeService } from '../users/user-type.service';

const TOKEN_HOURS = 8;

/** Gives an empty embedded database the demo directory, so that a newcomer has somebody to administer. */
export async function prepareEmbeddedDirectory(app: NestExpressApplication): Promise<void> {
  await loadDemoDirectory(app.get<DataSource>(getDataSourceToken()), app.get(UserTypeService));
}

/** What whoever started the service is told: where it is; and on the embedded database, an administrator's token to begin with. */
export async function greeting(app: NestExpressApplication, config: Config, embedded: boolean): Promise<string> {
  const { port, address, family } = app.getHttpServer().address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  const token = embedded ? await administratorToken(app, config) : undefined;
  // The page signs in with a token in the fragment, which a browser keeps to itself.
  const lines = [`Swagger UI: http://${host}:${port}/api/docs${token ? `#token=${token}` : ''}`];
  if (token) lines.push(`Administrator token (valid for ${TOKEN_HOURS} hours): ${token}`);
  return `${lines.join('\n')}\n`;
}

async function administratorToken(app: NestExpressApplication, config: Config): Promise<string | undefined> {
  if (config.accessTokens.key.kind !== 'secret') return undefined;
  const administrators: { id: string }[] = await app
    .get<DataSource>(getDataSourceToken())
    .query(`SELECT id FROM users WHERE type = 'administrator' AND status = 'active' ORDER BY id LIMIT 1`);
  const [administrator] = administrators;
  return (
    administrator && signAccessToken(config.accessTokens, { sub: administrator.id, expiresIn: TOKEN_HOURS * 3600 })
  );
}
