import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../config/config';
import { ExpectedError } from '../contract/expected-error';

type Address = Pick<Config, 'host' | 'port'>;

const NO_ADDRESS = ({ host }: Address) =>
  `HOST ${host} has no address. Set HOST to an address of this machine, or to 0.0.0.0 for all`;
const REASONS: Readonly<Record<string, (at: Address) => string>> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT ${port} of HOST ${host} is in use. Stop the other process, or set PORT to another one`,
  EACCES: ({ port }) =>
    `this user may not listen on PORT ${port}. Set PORT to 1024 or above, or give the user the right to`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST ${host} is no address of this machine. Set HOST to one that is, or to 0.0.0.0 for all`,
  ENOTFOUND: NO_ADDRESS,
  EAI_AGAIN: NO_ADDRESS,
};

/** The address is in use, forbidden, or does not belong to this machine. */
class CannotListenError extends ExpectedError {
  constructor(at: Address, cause: NodeJS.ErrnoException) {
    const { code = cause.message } = cause;
    const reason =
      REASONS[code]?.(at) ?? `HOST ${at.host} and PORT ${at.port} cannot be used. Set them to other values`;
    super(`The service cannot listen (${code}): ${reason}.`, { cause });
  }
}

/**
 * Listens on the configured address.
 *
 * @throws CannotListenError
 */
export async function listen(app: NestExpressApplication, at: Address): Promise<void> {
  try {
    await app.listen(at.port, at.host);
  } catch (error) {
    throw new CannotListenError(at, error as NodeJS.ErrnoException);
  }
}

/** The address at which this machine reaches a service that listens. */
export function addressOf(app: NestExpressApplication): string {
  const { port, address, family } = app.getHttpServer().address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
