import { echoes } from '../calls/echoes.ts';
import { exchange, type Received } from '../calls/exchange.ts';
import { brokenConnection } from '../calls/failure.ts';
import { refuseUnknownOptions } from '../calls/known-names.ts';
import { pause } from '../calls/pause.ts';
import { pauseBefore } from '../calls/retry.rules.ts';
import { invalid, readMs, readUrl } from '../calls/settings.ts';
import { within } from '../calls/within.ts';
import { UserAdministrationError } from '../user-administration-error.ts';
import { readGrantedToken, type GrantedToken, tokenFailed } from './read-granted-token.ts';

/** The options of `clientCredentials`. */
export interface CredentialsOptions {
  /** The URL of the identity provider's token endpoint. */
  tokenUrl: string | URL;
  clientId: string;
  clientSecret: string;
  /** The scope to request, such as `users:administer`. */
  scope?: string;
  /** Further parameters that the provider requires, such as `{ audience: 'https://users.example' }` for Auth0. */
  parameters?: Record<string, string>;
  /** Where to send the credentials. Default: `header`, which every provider must support (RFC 6749 section 2.3.1). */
  authentication?: 'header' | 'body';
  /** Time limit of one request in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

const ATTEMPTS = 3;

/** The client credentials grant of one client. */
export class CredentialsGrant {
  private readonly url: string;
  private readonly headers: Record<string, string>;
  private readonly body: string;
  private readonly timeoutMs: number;
  /** What no error may quote: the client's secret, in the forms in which it is sent. */
  private readonly secrets: string[];

  /** @throws UserAdministrationError `client.option_invalid` */
  constructor(private readonly options: CredentialsOptions) {
    refuseUnknownOptions(options, {
      tokenUrl: true,
      clientId: true,
      clientSecret: true,
      scope: true,
      parameters: true,
      authentication: true,
      timeoutMs: true,
      fetch: true,
    });
    const { tokenUrl, clientId, clientSecret, scope, parameters, authentication = 'header' } = options;
    if (!clientId || !clientSecret) throw invalid('clientId and clientSecret are required');
    const inBody = authentication === 'body';
    const basic = btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`);
    this.url = readUrl('tokenUrl', tokenUrl).href;
    this.timeoutMs = readMs('timeoutMs', options.timeoutMs ?? 10_000);
    this.secrets = [clientSecret, formEncoded(clientSecret), basic];
    this.headers = {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(!inBody && { authorization: `Basic ${basic}` }),
    };
    this.body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope }),
      ...(inBody && { client_id: clientId, client_secret: clientSecret }),
      ...parameters,
    }).toString();
  }

  /** @throws UserAdministrationError `client.token_failed` */
  async request(): Promise<GrantedToken> {
    for (let attempt = 1; ; attempt++) {
      try {
        return readGrantedToken(await this.send());
      } catch (error) {
        const pauseMs = pauseBefore(attempt, undefined) ?? 0;
        const { temporary } = error as UserAdministrationError;
        if (attempt < ATTEMPTS && temporary) await pause(pauseMs);
        else throw this.unquoted(error as UserAdministrationError);
      }
    }
  }

  /** Errors are logged, and some servers answer with the request that they have received. */
  private unquoted(error: UserAdministrationError): UserAdministrationError {
    if (!this.secrets.some((secret) => echoes(secret, error))) return error;
    const detail = 'The token endpoint quotes the credentials, so its answer is not shown. Check tokenUrl.';
    return tokenFailed(detail, { temporary: error.temporary });
  }

  private async send(): Promise<Received> {
    const { fetch = globalThis.fetch } = this.options;
    const { url, headers, body, timeoutMs } = this;
    try {
      return await within(
        timeoutMs,
        undefined,
        () => new Error(`no answer within ${timeoutMs} ms`),
        (signal) => exchange(fetch, url, { method: 'POST', headers, body, signal }),
      );
    } catch (cause) {
      throw tokenFailed(brokenConnection(cause, url).detail, { temporary: true, cause });
    }
  }
}

/** RFC 6749 section 2.3.1 requires both parts to be form-encoded before they are joined. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
