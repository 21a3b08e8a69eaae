import { Inject } from '@nestjs/common';
import { UserAdministrationClient } from '../user-administration-client.ts';
import { ActiveUsersFollower } from './active-users.follower.ts';
import { UserAdministrationHealth } from './user-administration.health.ts';

type Token = string | (abstract new (...args: never[]) => unknown);

/** What to inject the client of this name by; without a name, its class. */
export function clientToken(name?: string): Token {
  return tokenOf(UserAdministrationClient, name);
}

export function followerToken(name?: string): Token {
  return tokenOf(ActiveUsersFollower, name);
}

/** What to inject the health indicator of this name by; without a name, its class. */
export function healthToken(name?: string): Token {
  return tokenOf(UserAdministrationHealth, name);
}

/**
 * Injects the client of this name.
 *
 * @example constructor(@InjectUserAdministration('partners') private readonly partners: UserAdministrationClient) {}
 */
export function InjectUserAdministration(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(clientToken(name) as string);
}

function tokenOf(type: Token & { name: string }, name: string | undefined): Token {
  return name === undefined ? type : `user-administration-client/${type.name}/${name}`;
}
