import { complex, reference, type ResourceType, type Schema, text } from './schema';

/** RFC 7643 section 8.7.1. */
export const GROUP: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of a workspace',
  attributes: [
    text('displayName', 'The name, unique among the groups that the connection sees.', {
      required: true,
      uniqueness: 'server',
    }),
    complex(
      'members',
      'The users in the group. Lists of groups show them only if they are asked for.',
      [
        text('value', 'The id of the user.', { caseExact: true, mutability: 'immutable' }),
        reference('$ref', ['User'], 'The address of the user.', { mutability: 'immutable' }),
        text('display', 'The name of the user.', { mutability: 'readOnly' }),
        text('type', 'Groups have no groups.', { canonicalValues: ['User'], mutability: 'immutable' }),
      ],
      { multiValued: true, returned: 'request' },
    ),
  ],
};

export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  path: 'Groups',
  description: 'Groups of the workspaces of the connection',
  core: GROUP,
  extensions: [],
};
