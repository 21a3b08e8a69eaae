import { resolve } from 'node:path';
import { UserAdministrationClient } from '@user-administration/client';
import { WebhookReceiver } from '@user-administration/client/webhooks';
import { isProduction } from '../../../src/config/production';
import type { ControlAddress } from './control-server';
import { emulatorClock } from './emulator-clock';
import { EmulatorProcess } from './emulator-process';
import { EventFeed } from './event-feed';
import { newToken } from './issuer';
import { refuseUnknownNames } from './known-names';
import { refuseUnknownVariables } from './known-variables';
import { newPerson } from './person';
import { TOKEN_KINDS } from './token-kinds';
import type { Directory, UserAdministration, UserAdministrationOptions } from './user-administration';

/** Longer than a suite takes. */
const A_DAY_SECONDS = 86_400;

/** @param controls where the controls listen */
export async function startWithControls(
  options: UserAdministrationOptions,
  controls: ControlAddress,
): Promise<UserAdministration> {
  refuseUnknownNames('There is', options, { directory: true, databaseUrl: true, env: true, tokens: true });
  const { directory, databaseUrl, env = {}, tokens = 'HS256' } = options;
  if (!TOKEN_KINDS.includes(tokens)) throw new Error(`tokens: choose one of ${TOKEN_KINDS.join(', ')}.`);
  if (isProduction() || env.NODE_ENV === 'production') {
    throw new Error('This service is for tests: it signs tokens for any user. NODE_ENV must not be production.');
  }
  if (env.DATABASE_URL !== undefined) throw new Error('Give `databaseUrl` instead of the variable DATABASE_URL.');
  refuseUnknownVariables(env);
  const process = new EmulatorProcess();
  try {
    // A proxy cannot be sent to another process, and Vitest's `import.meta.env` is one.
    const source = sourceOf(directory);
    const started = process.call('start', { directory: source, databaseUrl, env: { ...env }, tokens, controls });
    const { url, control, jwksUri, issuer, now } = await started;
    const clock = emulatorClock(now);
    const tokenFor: UserAdministration['tokenFor'] = (sub, { scope, expiresIn, ...claims } = {}) =>
      newToken(issuer, { sub, scope, expiresIn, claims }, clock());
    const serviceToken = () =>
      tokenFor('calling-service', { scope: issuer.accessTokens.adminScope, expiresIn: A_DAY_SECONDS });
    let persons = 0;
    return {
      url,
      control,
      ...(jwksUri !== undefined && { issuer: issuer.accessTokens.issuers[0], jwksUri }),
      client: new UserAdministrationClient({ baseUrl: url, token: serviceToken }),
      tokenFor,
      serviceToken,
      reset: (another) => process.call('reset', sourceOf(another)),
      person: (fields) => newPerson(++persons, fields),
      records: () => process.call('records'),
      async deliverTo(receiver, secret) {
        // Refuses a secret that the receiver under test could not use either.
        new WebhookReceiver({ secrets: secret });
        await process.call('deliverTo', { url: receiver, secret });
      },
      events: new EventFeed(
        (after, wait) => process.call('events', after, wait),
        (type) => process.call('firstEvent', type),
      ),
      clock: {
        advance: (seconds) => process.call('advanceClock', seconds),
      },
      failNext: (failure) => process.call('failNext', failure),
      close: () => process.close(),
    };
  } catch (error) {
    // Why it did not start says more than that it did not end either.
    await process.close().catch(() => undefined);
    throw error;
  }
}

function sourceOf(directory: Directory | undefined): string | string[] | undefined {
  if (typeof directory === 'string') return resolve(directory);
  return directory?.map((record) => JSON.stringify(record));
}
