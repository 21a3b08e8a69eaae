import type { ScimConnection } from '@user-administration/client';
import { WORKSPACES } from '../places/place-fields.tsx';
import { service } from '../service.ts';
import type { SetupKind } from '../setups/setup-forms.tsx';
import type { Field, Values } from '../ui/fields.ts';
import { ConnectionToken, NameAndWorkspace, PROVIDERS, WhichProvider } from './providers.tsx';

type Fields = Pick<ScimConnection, 'name' | 'workspace' | 'workspaces' | 'idFrom' | 'mayGrantAdministrator'>;

const WORKSPACE: Field = {
  name: 'workspace',
  label: 'connection.workspace',
  kind: WORKSPACES,
  most: 1,
  hint: 'connection.workspace_hint',
  invalid: 'invalid.places',
};
const NAME: Field = {
  name: 'name',
  label: 'connection.name',
  kind: 'text',
  isRequired: true,
  hint: 'connection.name_hint',
};
const FURTHER: Field = {
  name: 'workspaces',
  label: 'connection.workspaces',
  kind: WORKSPACES,
  hint: 'connection.workspaces_hint',
  invalid: 'invalid.places',
};
const ID_FROM: Field = {
  name: 'idFrom',
  label: 'connection.id_from',
  kind: 'radio',
  options: { externalId: 'connection.id_from.external_id', userName: 'connection.id_from.user_name' },
  hint: 'connection.id_from_hint',
};
const MAY_GRANT: Field = {
  name: 'mayGrantAdministrator',
  label: 'connection.may_grant',
  kind: 'check',
  hint: 'connection.may_grant_hint',
};
const OVERLAP: Field = {
  name: 'overlap',
  label: 'connection.overlap',
  kind: 'radio',
  options: { '0': 'connection.overlap.none', '3600': 'connection.overlap.hour', '86400': 'connection.overlap.day' },
};
const fieldsOf = (values: Values) => values as unknown as Fields;

export const CONNECTION: SetupKind<ScimConnection> = {
  messages: 'connection',
  newFields: [WORKSPACE, NAME, FURTHER, ID_FROM, MAY_GRANT],
  initialOf: (provider) => ({
    workspace: '',
    name: PROVIDERS[provider]?.name ?? '',
    workspaces: [],
    idFrom: 'externalId',
    mayGrantAdministrator: false,
  }),
  changeableFields: [NAME, WORKSPACE, FURTHER, MAY_GRANT],
  nameOf: ({ name }) => name,
  isDeletionConfirmed: true,
  get: (id, options) => service.scimConnections.get(id, options),
  create: async (values, options) => (await service.scimConnections.create(fieldsOf(values), options)).token,
  update: (id, values, options) => service.scimConnections.update(id, fieldsOf(values), options),
  delete: (id, options) => service.scimConnections.delete(id, options),
  // The version of the connection does not matter for its token.
  rotate: ({ id }, { overlap }, options) =>
    service.scimConnections.rotateToken(id, { ...options, overlap: Number(overlap) }),
  rotateFields: [OVERLAP],
  rotateInitial: { overlap: '86400' },
  FirstStep: WhichProvider,
  explainNew: NameAndWorkspace,
  Secret: ConnectionToken,
};
