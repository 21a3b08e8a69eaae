import { isToken, type TokenRequest, type TokenSource } from '../tokens/token-source.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import type { Failure } from './failure.ts';

/** The token of one call. Each attempt asks the token function. After the service has refused a token, the call asks for another, once. */
export class Access {
  private refused: string | undefined;
  private last: string | undefined;

  constructor(private readonly source: TokenSource) {}

  async token(signal: AbortSignal): Promise<string | Failure> {
    if (typeof this.source === 'string') return this.source;
    const token = await ask(this.source, { signal, refused: this.refused });
    this.last = typeof token === 'string' ? token : undefined;
    return token;
  }

  /** Whether to try again with another token: once, after the service has refused one that a function returned. */
  mayRenew(failure: Failure): boolean {
    if (failure.code !== 'auth.token_invalid' || this.last === undefined || this.refused) return false;
    this.refused = this.last;
    return true;
  }
}

async function ask(source: Exclude<TokenSource, string>, request: TokenRequest): Promise<string | Failure> {
  try {
    const token: unknown = await source(request);
    return isToken(token) ? token : failed('The token function returned no token.');
  } catch (cause) {
    if (!(cause instanceof UserAdministrationError)) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      return { ...failed(`The token function failed: ${reason}`), cause };
    }
    const { detail, temporary, retryAfterMs } = cause;
    return { ...failed(detail), temporary, retryAfterMs, cause };
  }
}

/** Nothing is sent without a token, so no change can have been made. */
function failed(detail: string): Failure {
  return { kind: 'failure', code: 'client.token_failed', detail, temporary: false, mayBeDone: false };
}
