import { Inject } from '@nestjs/common';
import { UserAdministrationClient } from '../user-administration-client.ts';
import { ActiveUsersFollower } from './active-users.follower.ts';
import { UserAdministrationHealth } from './user-administration.health.ts';

type Token = string | (abstract new (...args: never[]) => unknown);

/** The injection token of the client with this name. Without a name, it is the class `UserAdministrationClient`. */
export function clientToken(name?: string): Token {
  return tokenOf(UserAdministrationClient, name);
}

export function followerToken(name?: string): Token {
  return tokenOf(ActiveUsersFollower, name);
}

/** The injection token of the health indicator with this name. Without a name, it is the class `UserAdministrationHealth`. */
export function healthToken(name?: string): Token {
  return tokenOf(UserAdministrationHealth, name);
}

/**
 * Injects the client with this name.
 *
 * @example constructor(@InjectUserAdministration('partners') private readonly partners: UserAdministrationClient) {}
 */
export function InjectUserAdministration(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(clientToken(name) as string);
}

function tokenOf(type: Token & { name: string }, name: string | undefined): Token {
  return name === undefined ? type : `@user-administration/client/${type.name}/${name}`;
}
