/**
 * The ids of SCIM that a connection has given, each with the person whose it is: no id is given to somebody else while
 * the connection lives, also after the record is deleted. Only hashes are kept, so that an erasure holds.
 */
const hashOf = (text: string): string => `sha256(convert_to(${text}, 'UTF8'))`;

/**
 * Whether a connection has given an id to somebody else. External ids tell people apart, and where one of the two has
 * none, the name.
 *
 * All are parameters, the last three of type text.
 */
export const isGiven = (connectionKey: string, id: string, externalId: string, userName: string): string =>
  `EXISTS (SELECT FROM scim_given_ids AS given WHERE connection_key = ${connectionKey} AND id = ${hashOf(id)} AND NOT
     COALESCE(given.external_id = ${hashOf(externalId)}, given.user_name = ${hashOf(`fold_case(${userName})`)}))`;

/** The end of a statement: keeps whose the ids of `kept` are, which are rows of `scim_users`. */
export const GIVE_IDS = `INSERT INTO scim_given_ids (connection_key, id, external_id, user_name)
  SELECT connection_key, ${hashOf('id')}, ${hashOf('external_id')}, ${hashOf('fold_case(user_name)')} FROM provisioned
  ON CONFLICT (connection_key, id) DO UPDATE SET external_id = EXCLUDED.external_id, user_name = EXCLUDED.user_name`;
