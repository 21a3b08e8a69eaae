import { PluginErrors } from '../plugin';

/** The refusals of connections. Those of SCIM itself are in `scim-error.ts`. */
export const CONNECTION_ERRORS = new PluginErrors({
  'scim_connection.unknown': { status: 404, when: 'There is no SCIM connection with this id.' },
});
