import type { Config } from './config';

/** Warnings about a valid configuration, with what to do. They are logged once at start. */
export function configWarnings({ accessTokens: { key, audiences }, production, fairUse }: Config): string[] {
  const warnings: string[] = [];
  if (key.kind === 'jwks' && audiences.length === 0) {
    warnings.push(
      'JWT_JWKS_URI is used without JWT_AUDIENCE: the service also accepts tokens that the identity provider issues for other applications. Set JWT_AUDIENCE to the "aud" claim of tokens for this service.',
    );
  }
  if (production && fairUse.perAddress > 0 && fairUse.trustedProxies === 0) {
    warnings.push(
      'FAIR_USE_PER_ADDRESS limits the requests of each address, and TRUSTED_PROXIES is 0: behind a proxy, all callers share the address of the proxy. Set TRUSTED_PROXIES to the number of proxies in front, or FAIR_USE_PER_ADDRESS to 0.',
    );
  }
  return warnings;
}
