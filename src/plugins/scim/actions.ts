import { PluginActions } from '../plugin';

/** Without the token. */
interface ConnectionFacts {
  connection: string;
  name?: string;
  workspace?: string;
  workspaces?: readonly string[];
  idFrom?: 'externalId' | 'userName';
  mayGrantAdministrator?: boolean;
  /** A new token was made. */
  tokenRotated?: true;
}

/** The facts of the actions of connections. */
export type ConnectionActionFacts = Record<
  'scim_connection.created' | 'scim_connection.updated' | 'scim_connection.deleted',
  ConnectionFacts
>;

export const CONNECTION_ACTIONS = new PluginActions<ConnectionActionFacts>({
  'scim_connection.created': { summary: 'A SCIM connection was made' },
  'scim_connection.updated': { summary: 'A SCIM connection was changed' },
  'scim_connection.deleted': { summary: 'A SCIM connection was deleted' },
});
