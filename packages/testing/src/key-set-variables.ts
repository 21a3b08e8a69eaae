import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../src/config/environment';
import type { ControlServer } from './control-server';

const KEY = /^JWT_(SECRET|PUBLIC_KEY|JWKS_URI)(_FILE)?$/;

/**
 * The variables of a service that verifies by the key set of the kit, as in production by that of an identity provider.
 *
 * @throws RangeError for a key beside it
 */
export function keySetVariables({ url, keySetUrl }: ControlServer, env: Environment = {}): Environment {
  const other = Object.keys(env).find((name) => KEY.test(name) && env[name] !== undefined);
  if (other !== undefined)
    throw new RangeError(`env: leave out ${other}. With RS256, tokens are verified by the key set of the kit.`);
  return {
    JWT_SECRET: undefined,
    JWT_JWKS_URI: keySetUrl,
    JWT_ISSUER: env.JWT_ISSUER ?? url,
    STATUS_TOKEN_SECRET: env.STATUS_TOKEN_SECRET ?? randomBytes(32).toString('hex'),
  };
}
