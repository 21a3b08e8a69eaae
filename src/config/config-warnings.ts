import type { Config } from './config';
import { exposedSecrets } from './generated-secret';

/** Warnings about a valid configuration, with what to do. They are logged once at start. */
export function configWarnings(config: Config): string[] {
  const { accessTokens, production, fairUse, dataDir, statusTokenSecret } = config;
  const { key, audiences } = accessTokens;
  const warnings: string[] = [];
  if (key.kind === 'jwks' && audiences.length === 0) {
    warnings.push(
      'JWT_JWKS_URI is used without JWT_AUDIENCE: the service also accepts tokens that the identity ' +
        'provider issues for other applications. Set JWT_AUDIENCE to the "aud" claim of tokens for ' +
        'this service.',
    );
  }
  if (production && fairUse.perAddress > 0 && fairUse.trustedProxies === 0) {
    warnings.push(
      'FAIR_USE_PER_ADDRESS limits the requests of each address, and TRUSTED_PROXIES is 0: behind a ' +
        'proxy, all callers share the address of the proxy. Set TRUSTED_PROXIES to the number of ' +
        'proxies in front, or FAIR_USE_PER_ADDRESS to 0.',
    );
  }
  for (const file of exposedSecrets(dataDir, [statusTokenSecret, key.kind === 'secret' ? key.secret : ''])) {
    warnings.push(
      `Other users of this machine may read the secret in ${file}, and whoever has it can sign tokens. Make it ` +
        'readable by its owner alone (chmod 600), or remove it to generate a new one.',
    );
  }
  return warnings;
}
