import { startWithControls } from './start-with-controls';
import type { UserAdministration, UserAdministrationOptions } from './user-administration';

export type { Directory, TokenClaims, UserAdministration, UserAdministrationOptions } from './user-administration';

/**
 * Starts the User Administration Service for a test: the real service, in a separate process with its own database. It
 * needs neither a network nor Docker.
 *
 * @throws Error that says what to do: the line of the directory that is wrong, the variable that is
 * @example
 * const users = await startUserAdministration();
 * await users.client.users.assignWorkspaces({ userIds: ['ben'], workspaces: ['atlas'] });
 * await users.close();
 */
export function startUserAdministration(
  options: UserAdministrationOptions & { tokens: 'RS256' },
): Promise<UserAdministration & Required<Pick<UserAdministration, 'issuer' | 'jwksUri'>>>;
export function startUserAdministration(options?: UserAdministrationOptions): Promise<UserAdministration>;
export function startUserAdministration(options: UserAdministrationOptions = {}): Promise<UserAdministration> {
  return startWithControls(options, { port: 0, host: '127.0.0.1' });
}
