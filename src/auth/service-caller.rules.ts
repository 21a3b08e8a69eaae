import type { AccessTokenConfig } from '../config/token.config';
import { type AccessClaims, TokenRefusedError } from '@user-administration/access-tokens';
import type { Caller } from './caller';

/**
 * Decides which subjects without a record in the directory are services, and whether they are administrators or only
 * read.
 *
 * Identity providers grant these scopes to people as well, so their tokens must also say that the client
 * acts for itself, or the subject must be listed. With a shared secret the scope is sufficient, because its holders can
 * sign anything, unless services are listed.
 *
 * @throws TokenRefusedError with the reason, for the log
 */
export function requireService(
  claims: AccessClaims,
  config: AccessTokenConfig,
): Pick<Caller, 'administrator' | 'mayRead'> {
  const { key, serviceSubjects, adminScope, readScope } = config;
  const administrator = claims.scopes.includes(adminScope);
  const hasScope = administrator || claims.scopes.includes(readScope);
  const isListed = serviceSubjects.includes(claims.subject);
  const isScopeEnough = key.kind === 'secret' && serviceSubjects.length === 0;
  const isClient = isListed || (key.kind !== 'secret' && claims.actsForItself);
  if (hasScope && (isClient || isScopeEnough))
    return administrator ? { administrator } : { administrator, mayRead: true };
  if (hasScope) throw new TokenRefusedError(key.kind === 'secret' ? NOT_LISTED : A_PERSON);
  const isMeantAsService = isClient || claims.actsForItself || (isScopeEnough && claims.scopes.length > 0);
  throw new TokenRefusedError(isMeantAsService ? `the scope ${adminScope} is missing` : 'the user is unknown');
}

const NOT_LISTED = 'the token has the scope, but its subject is not in JWT_SERVICE_SUBJECTS';
const A_PERSON =
  "the token has the scope, but is a person's: nothing in it says that its client acts for itself, and its subject " +
  'is not in JWT_SERVICE_SUBJECTS';
