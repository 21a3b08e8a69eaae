import type { Config } from './config/config';
import type { ConfigPart } from './config/config-part';
import type { Environment } from './config/environment';
import { readConfig } from './config/read-config';
import { PLUGINS } from './installed-plugins';

/**
 * Reads the environment and the `.env` file in the working folder. Variables of the environment take precedence.
 *
 * @param environment by default that of the process
 * @param plugins those of the app, by default those of the service
 * @throws ConfigError with every problem at once
 * @example loadConfig({ PORT: '0', JWT_SECRET: 'at least 32 bytes of secret, please' })
 */
export function loadConfig(environment?: Environment, plugins: readonly ConfigPart[] = PLUGINS): Config {
  return readConfig(plugins, environment);
}
