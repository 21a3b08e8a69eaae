import type { AuthorizationServer } from 'oauth4webapi';

/** What the service says about signing in, in `<meta name="sign-in">`. */
export interface SignInSettings {
  /** As the service has discovered it; null while it is away. */
  provider: AuthorizationServer | null;
  clientId: string;
  scope: string;
  audience: string | null;
  /** `PUBLIC_URL`, if it is set. */
  base: string | null;
  /** The claim of an access token that names the user. */
  userClaim: string;
  /** The time of the service in seconds. */
  now: number;
}

/** @returns undefined if the service has no identity provider */
export function readSettings(): SignInSettings | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="sign-in"]');
  return meta ? (JSON.parse(meta.content) as SignInSettings) : undefined;
}
