import { UserAdministrationClient } from '@user-administration/client';
import { language } from './language/language.ts';
import { currentToken, tokenRefused } from './session/session.ts';

/** When the service has last answered something, in the monotonic time of `performance.now()`. */
let heardAt = -Infinity;
export const heardFor = (): number => performance.now() - heardAt;
export const heard = (): void => void (heardAt = performance.now());

let forbidden = (): void => undefined;

/** @param listener is called when the service forbids something */
export function onForbidden(listener: () => void): void {
  forbidden = listener;
}

/** `https://host/prefix` of `https://host/prefix/admin`: a proxy can have a prefix. */
export const base = location.origin + location.pathname.replace(/\/admin\/?$/, '');

function connect(): UserAdministrationClient {
  return new UserAdministrationClient({
    baseUrl: base,
    language,
    hooks: {
      attemptEnded: (_, { status }) => {
        if (status !== undefined) heard();
        if (status === 403) forbidden();
      },
    },
    token: ({ refused }) => {
      // The client asks once more after a refusal: meanwhile the token may have been renewed.
      if (refused !== undefined) tokenRefused(refused);
      return currentToken()?.token ?? '';
    },
  });
}

/** The service, by its client. */
export let service = connect();

/** After the language has changed: the service's sentences are to come in it. */
export function reconnect(): void {
  service = connect();
}
