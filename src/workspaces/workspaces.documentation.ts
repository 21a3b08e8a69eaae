import type { EndpointNotes } from '../openapi/endpoint.decorator';

export const WORKSPACE_ID = { id: { description: 'The id of the workspace, percent-encoded.', example: 'atlas' } };

export const LIST_WORKSPACES: EndpointNotes = {
  summary: 'Find workspaces',
  description: `For administrators. All filters that are given must hold. \`search\` looks in ids and names.`,
  refuses: ['query.invalid', 'service.unavailable'],
};

export const READ_WORKSPACE: EndpointNotes = {
  summary: 'Look at a workspace',
  description: 'For administrators. `ETag` changes with what this answer tells.',
  parameters: WORKSPACE_ID,
  refuses: ['workspace.unknown', 'service.unavailable'],
};
