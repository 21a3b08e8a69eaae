import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '../door';
import type { AuthenticatedRequest } from '../../auth/caller';
import { prepared, ReservedStatements, type Statements } from '@user-administration/postgres';
import { bearerToken, RateLimitGuard, whyNoBearerToken } from '@user-administration/http';
import { hashOf } from './connection-token';
import type { Connection, ScimRequest } from './scim-request';
import { hasToken } from './judge-connection';

/**
 * Updates `last_used_at` at most once a minute and skips a locked row. The write makes the statement fail on a standby.
 */
const FIND_CONNECTION = prepared(
  'find_scim_connection',
  `WITH found AS MATERIALIZED (SELECT key, id, id_from FROM scim_connections WHERE ${hasToken('$1')}), used AS (
     UPDATE scim_connections SET last_used_at = clock_timestamp() WHERE key IN (
       SELECT c.key FROM found JOIN scim_connections AS c USING (key)
       WHERE (c.last_used_at < clock_timestamp() - interval '1 minute') IS NOT FALSE FOR NO KEY UPDATE OF c SKIP LOCKED
     )
   )
   SELECT key, id, id_from AS "idFrom" FROM found`,
);

/** Admits only the tokens of connections. It guards every route of SCIM instead of the guard for access tokens. */
@Injectable()
export class ScimGuard implements CanActivate {
  constructor(
    @Inject(ReservedStatements) private readonly statements: Statements,
    private readonly rateLimit: RateLimitGuard,
  ) {}

  /** @throws ServiceError `auth.token_invalid`, `request.too_frequent` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ScimRequest & AuthenticatedRequest>();
    const token = bearerToken(request);
    const tokenHash = hashOf(token);
    if (!tokenHash) throw refusal(token === null ? whyNoBearerToken(request) : 'this is no token of a connection');
    const [found] = await this.statements.query<Omit<Connection, 'tokenHash'>[]>(FIND_CONNECTION, [tokenHash]);
    if (!found) throw refusal('the connection of the token is unknown');
    request.scimConnection = { ...found, tokenHash };
    request.user = { kind: 'connection', id: found.id, administrator: true };
    return this.rateLimit.canActivate(context);
  }
}

function refusal(cause: string): ServiceError {
  return new ServiceError('auth.token_invalid', {}, { cause });
}
