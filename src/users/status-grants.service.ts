import { Injectable } from '@nestjs/common';
import { TokenRefusedError, TokenVerifier } from '@user-administration/access-tokens';
import type { Caller } from '../auth/caller';
import { Callers } from '../auth/callers';
import type { Bearer } from '../auth/current-bearer.decorator';
import { type StatusTokenClaims, StatusTokens } from '../auth/status-tokens';
import type { Actor } from '../contract/journal';

/** The permission in the body token of a status change. */
interface StatusGrant {
  /** The user or service that granted the permission. */
  readonly grantedBy: Actor;
  /**
   * The claims of a status token: the single change that it permits, once. Without it, the token toggles the status of
   * anyone.
   */
  readonly only?: StatusTokenClaims;
}

/** Reads the token in the body of a status change. Each kind of token is one kind of grant. */
@Injectable()
export class StatusGrants {
  constructor(
    private readonly accessTokens: TokenVerifier,
    private readonly statusTokens: StatusTokens,
    private readonly callers: Callers,
  ) {}

  /**
   * @param bearer the sender of the request; if the body contains the same token as the header, it has just been
   * verified
   * @throws TokenRefusedError if the token grants nothing
   */
  async read(token: string, bearer: Bearer): Promise<StatusGrant> {
    if (token === bearer.token) return byAdministrator(bearer.caller);
    const only = this.statusTokens.read(token);
    if (only) return { grantedBy: only.mintedBy, only };
    return byAdministrator(await this.callers.identify(await this.accessTokens.verify(token)));
  }
}

/** An administrator's access token names no status, so it toggles. */
function byAdministrator(administrator: Caller): StatusGrant {
  if (!administrator.administrator) throw new TokenRefusedError('the token in the body is of no administrator');
  return { grantedBy: administrator };
}
