import { DEMO_CHANGE } from '../../src/users/demo-change';
import type { AnyErrorCode } from '../../src/contract/errors';
import { LIMITS } from '../../src/contract/limits';
import type { TestService } from '../support/test-service';

/** What is wrong with a request; the rest of it is right. */
interface Provocation {
  method?: string;
  caller?: string;
  headers?: Record<string, string | undefined>;
  query?: string;
  /** In the place of those of the path that are right. */
  parameters?: Record<string, string>;
  /** Text goes as it is, anything else as JSON. */
  body?: unknown;
  /** The field that the sentence names, where it is not the one of the catalogue. */
  field?: string;
  /** The places at fault that a problem document names. */
  errors?: { pointer: string; id?: string }[];
}

const RIGHT_BODIES: Record<string, object | string> = {
  'POST /api/users/workspace-assign': { userIds: ['ben'], workspaces: ['borealis'] },
  'POST /api/users/workspace-unassign': { userIds: ['ben'], workspaces: ['atlas'] },
  'POST /api/users/status-assign': { userIds: ['ben', 'cyd'], status: 'inactive' },
  'POST /api/users/manage-status': { id: 'dee', token: 'the token of ada' },
  'POST /api/users/status-tokens': { id: 'eve', status: 'active' },
  'POST /api/users': { id: 'flo', email: 'flo@example.com' },
  'POST /api/users/{id}/rename': { id: 'lovelace' },
  'PATCH /api/users/{id}': { displayName: 'Ada Lovelace' },
  'POST /api/workspaces': { id: 'delta', name: 'Delta' },
  'PATCH /api/workspaces/{id}': { name: 'Atlas One' },
  'POST /api/groups': { id: 'readers', name: 'Readers', workspace: 'atlas' },
  'PATCH /api/groups/{id}': { name: 'Authors' },
  'POST /api/permissions': { id: 'publish', grants: 'manager' },
  'PATCH /api/permissions/{id}': { description: 'Write' },
  'POST /api/journal/{id}/undo': {},
  'POST /api/scim-connections': { name: 'Okta', workspace: 'atlas' },
  'PATCH /api/scim-connections/{id}': { name: 'Entra ID' },
  'POST /api/scim-connections/{id}/token': {},
  'POST /api/imports': '{"user":{"id":"ben"}}',
  'POST /api/webhooks': { url: 'https://hooks.example/any', events: ['user.status.changed'] },
  'PATCH /api/webhooks/{id}': { events: ['user.type.changed'] },
};

/** The records of the demo directory that requests are about. */
const RIGHT_IDS: readonly [RegExp, string][] = [
  // Not the caller, who asks again.
  [/^\/api\/users\/\{id\}\/rename/, 'cyd'],
  [/^\/api\/users\/\{id\}/, 'ada'],
  [/^\/api\/workspaces\/\{id\}/, 'atlas'],
  [/^\/api\/groups\/\{id\}/, 'atlas-editors'],
  [/^\/api\/permissions\/\{id\}/, 'content.edit'],
  [/^\/api\/journal\/\{id\}/, DEMO_CHANGE],
];

const UNKNOWN_RECORD = { parameters: { id: 'none' } };
const UNKNOWN_WEBHOOK = { parameters: { id: 'none' } };
const UNKNOWN_DELIVERY = { parameters: { deliveryId: 'none' } };

const ON_ANY_ROUTE: Partial<Record<AnyErrorCode, Provocation>> = {
  'request.malformed': { body: 'null' },
  'auth.token_invalid': { headers: { authorization: undefined } },
  'auth.administrator_required': { caller: 'ben' },
  'body.not_json': { body: '{' },
  // Too many lists for any route, and too many bytes for most.
  'body.too_large': { body: `[${'[],'.repeat(LIMITS.bodyStructure)}0]` },
  'body.unsupported': { headers: { 'content-type': 'text/plain' } },
  'body.encoding_unsupported': { headers: { 'content-encoding': 'gzip' } },
  'field.unknown': { headers: { prefer: 'handling=strict' }, body: { group: 'atlas' }, errors: at('/group') },
  'query.unknown': { query: '?Limit=5' },
  'reason.invalid': { query: '?reason=' },
  'route.method_not_allowed': { method: 'PUT' },
  'record.changed': { headers: { 'if-match': '"another"' } },
  'idempotency.key_invalid': { headers: { 'idempotency-key': '"' } },
  // These need something done to the service.
  'request.too_frequent': {},
  'service.failed': {},
  'service.unavailable': {},
  'idempotency.key_reused': { headers: { 'idempotency-key': '"a key"' } },
  'idempotency.in_progress': { headers: { 'idempotency-key': '"a key"' } },
};

/** The entry that follows the last one of the demo directory, which a test writes. */
export const NOT_UNDOABLE = String(Number(DEMO_CHANGE) + 1);

/** A list has other parameters than a creation at the same path. */
const GIVEN_TWICE: Partial<Record<AnyErrorCode, Provocation>> = { 'query.invalid': { query: '?reason=a&reason=b' } };

/** Assignments and unassignments judge their lists alike. */
const ON_MEMBERSHIPS: Partial<Record<AnyErrorCode, Provocation>> = {
  'query.invalid': { query: '?dryRun=perhaps' },
  'user.required': { body: {}, errors: at('/userIds') },
  'user.invalid': {
    body: { userIds: ['ben', 'nobody'], workspaces: ['atlas'] },
    errors: at('/userIds/1', 'nobody'),
  },
  'workspace.required': { body: { userIds: ['ben'] }, errors: at('/workspaces') },
  'workspace.invalid': {
    body: { userIds: ['ben'], workspaces: ['nowhere'] },
    errors: at('/workspaces/0', 'nowhere'),
  },
  'group.invalid': {
    body: { userIds: ['ben'], workspaces: ['atlas'], groups: ['cosmos-admins'] },
    errors: at('/groups/0', 'cosmos-admins'),
  },
  'request.too_many_users': { body: { userIds: ids(LIMITS.users + 1), workspaces: ['atlas'] } },
  'request.too_many_workspaces': { body: { userIds: ['ben'], workspaces: ids(LIMITS.workspaces + 1) } },
  'request.too_many_groups': {
    body: { userIds: ['ben'], workspaces: ['atlas'], groups: ids(LIMITS.groups + 1) },
  },
  'request.too_many_memberships': {
    body: { userIds: ids(LIMITS.users), workspaces: ids(LIMITS.memberships / LIMITS.users + 1) },
  },
  'reason.invalid': { body: { userIds: ['ben'], workspaces: ['atlas'], reason: '' }, errors: at('/reason') },
  'until.malformed': { body: { userIds: ['ben'], workspaces: ['atlas'], until: 'soon' }, errors: at('/until') },
  'until.invalid': {
    body: { userIds: ['ben'], workspaces: ['atlas'], until: '2000-01-01T00:00:00Z' },
    errors: at('/until'),
  },
  'request.too_large_to_represent': {
    query: '?dryRun=true',
    body: { userIds: ids(LIMITS.users), workspaces: ids(LIMITS.representedMemberships / LIMITS.users + 1) },
  },
};

const ON_ONE_ROUTE: Record<string, Partial<Record<AnyErrorCode, Provocation>>> = {
  '/api/users/workspace-assign': ON_MEMBERSHIPS,
  '/api/users/workspace-unassign': {
    ...ON_MEMBERSHIPS,
    // The only administrators are in the demo workspace that the test gives its permission to.
    'directory.last_administrator': { body: { userIds: ['ada', 'zoe'], workspaces: ['cosmos'] } },
  },
  '/api/users/status-assign': {
    'query.invalid': { query: '?dryRun=perhaps' },
    'user.required': { body: {}, errors: at('/userIds') },
    'user.invalid': { body: { userIds: ['ben', 'nobody'], status: 'inactive' }, errors: at('/userIds/1', 'nobody') },
    'request.too_many_users': { body: { userIds: ids(LIMITS.users + 1), status: 'inactive' } },
    'status.invalid': { body: { userIds: ['ben'], status: 'asleep' }, errors: at('/status') },
    'reason.invalid': {
      body: { userIds: ['ben'], status: 'inactive', reason: 7 },
      errors: at('/reason'),
    },
    'directory.last_administrator': { body: { userIds: ['ada', 'zoe'], status: 'inactive' } },
  },
  '/api/journal/{id}/undo': {
    'query.invalid': { query: '?dryRun=perhaps' },
    'journal.unknown': { parameters: { id: '0' } },
    'journal.not_undoable': { parameters: { id: NOT_UNDOABLE } },
    'reason.invalid': { body: { reason: 7 }, errors: at('/reason') },
  },
  '/api/users/manage-status': {
    'status.not_permitted': { body: { id: 'dee', token: 'not-a-token' } },
    // Zoe is the other one, and away: see the test.
    'status.last_administrator': { body: { id: 'ada', token: 'the token of ada' } },
  },
  '/api/users/status-tokens': {
    'user.invalid': { body: { id: 'nobody', status: 'active' }, errors: at('/id', 'nobody') },
    'status.invalid': { body: { id: 'eve', status: 'asleep' }, errors: at('/status') },
    'status_token.lifetime_invalid': {
      body: { id: 'eve', status: 'active', expiresIn: 0 },
      errors: at('/expiresIn'),
    },
    'reason.invalid': { body: { id: 'eve', status: 'active', reason: 7 }, errors: at('/reason') },
  },
  // Errors have other forms than the register.
  '/api/access': { 'query.invalid': { query: '?type=none' }, 'answer.not_acceptable': {} },
  'POST /api/users': GIVEN_TWICE,
  'POST /api/workspaces': GIVEN_TWICE,
  'POST /api/groups': GIVEN_TWICE,
  'POST /api/permissions': GIVEN_TWICE,
  '/api/users': {
    'query.invalid': { query: '?limit=0' },
    'request.malformed': { body: [] },
    'field.read_only': { body: { type: 'manager', email: '' }, errors: at('/type') },
    'field.invalid': { body: { permissions: ['none'] }, field: 'permissions', errors: at('/permissions/0', 'none') },
    'record.id_taken': { body: { id: 'ada' }, errors: at('/id') },
    'user.email_taken': { body: { email: 'ADA@example.com' }, errors: at('/email') },
  },
  '/api/users/{id}': {
    'query.invalid': { query: '?dryRun=perhaps' },
    'request.malformed': { body: [] },
    'field.read_only': { body: { type: 'manager', email: '' }, errors: at('/type') },
    'field.invalid': { body: { email: 'none' }, field: 'email', errors: at('/email') },
    'user.unknown': UNKNOWN_RECORD,
    'user.email_taken': { body: { email: 'ZOE@example.com' }, errors: at('/email') },
    // Zoe is the other one, and away: see the test.
    'directory.last_administrator': { body: { permissions: [] } },
  },
  '/api/users/{id}/rename': {
    'request.malformed': { body: [] },
    'field.invalid': { body: { id: '' }, field: 'id', errors: at('/id') },
    'user.unknown': UNKNOWN_RECORD,
    'record.id_taken': { body: { id: 'zoe' }, errors: at('/id') },
    'reason.invalid': { body: { id: 'lovelace', reason: 7 }, errors: at('/reason') },
  },
  '/api/users/{id}/permissions': { 'user.unknown': UNKNOWN_RECORD, 'query.invalid': { query: '?limit=0' } },
  '/api/users/{id}/memberships': { 'user.unknown': UNKNOWN_RECORD, 'query.invalid': { query: '?limit=0' } },
  '/api/workspaces': {
    'query.invalid': { query: '?limit=0' },
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { type: null }, errors: at('/type') },
    'field.invalid': { body: { name: '' }, errors: at('/name') },
    'record.id_taken': { body: { id: 'atlas', name: 'Atlas' }, errors: at('/id') },
  },
  '/api/workspaces/{id}': {
    'query.invalid': { query: '?dryRun=perhaps' },
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { type: null }, errors: at('/type') },
    'field.invalid': { body: { name: '' }, errors: at('/name') },
    'workspace.unknown': UNKNOWN_RECORD,
    // What makes Zoe an administrator, and Ada is away: see the test.
    'directory.last_administrator': { caller: 'zoe', parameters: { id: 'cosmos' }, body: { permissions: [] } },
  },
  '/api/groups': {
    'query.invalid': { query: '?limit=0' },
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { type: null }, errors: at('/type') },
    'field.invalid': { body: { name: '', workspace: 'atlas' }, errors: at('/name') },
    'record.id_taken': { body: { id: 'atlas-editors', name: 'Editors', workspace: 'atlas' }, errors: at('/id') },
  },
  '/api/groups/{id}': {
    'query.invalid': { query: '?dryRun=perhaps' },
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { type: null }, errors: at('/type') },
    'field.invalid': { body: { name: '' }, errors: at('/name') },
    'group.unknown': UNKNOWN_RECORD,
    'directory.last_administrator': { caller: 'zoe', parameters: { id: 'cosmos-admins' }, body: { permissions: [] } },
  },
  '/api/permissions': {
    'query.invalid': { query: '?limit=0' },
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { type: null }, errors: at('/type') },
    'field.invalid': { body: { grants: 'owner' }, field: 'grants', errors: at('/grants') },
    'record.id_taken': { body: { id: 'content.read', grants: 'member' }, errors: at('/id') },
  },
  '/api/permissions/{id}': {
    'query.invalid': { query: '?dryRun=perhaps' },
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { type: null }, errors: at('/type') },
    'field.invalid': { body: { grants: 'owner' }, field: 'grants', errors: at('/grants') },
    'permission.unknown': UNKNOWN_RECORD,
    'directory.last_administrator': { parameters: { id: 'users.administer' }, body: { grants: 'member' } },
  },
  '/api/journal': {
    'query.invalid': { query: '?limit=0' },
    'journal.other': { query: '?after=1-000000000000' },
  },
  '/api/imports': {
    'query.invalid': { query: '?deactivateMissing=true&atMost=some' },
    'import.too_large': { body: ' '.repeat(LIMITS.listBodyBytes + 1) },
    'import.empty': { body: ' \n' },
    'import.unsupported': { headers: { 'content-type': 'text/plain' } },
    'import.too_many_deactivations': { query: '?deactivateMissing=true&atMost=0&includeAdministrators=true' },
    'directory.last_administrator': {
      query: '?deactivateMissing=true&atMost=100%25&includeAdministrators=true',
    },
  },
  '/api/webhooks': {
    'webhook.url_invalid': {
      body: { url: 'http://example.com', events: ['user.status.changed'] },
      errors: at('/url'),
    },
    'webhook.events_invalid': { body: { url: 'https://example.com', events: [] }, errors: at('/events') },
    'field.invalid': {
      body: { url: 'https://example.com', events: ['user.created'], enabled: 1 },
      field: 'enabled',
      errors: at('/enabled'),
    },
    // There are as many as there can be: see the test.
    'webhook.too_many': {},
  },
  '/api/webhooks/{id}': {
    'webhook.url_invalid': { body: { url: 'http://example.com' }, errors: at('/url') },
    'webhook.events_invalid': { body: { events: [] }, errors: at('/events') },
    'field.invalid': { body: { enabled: 'yes' }, field: 'enabled', errors: at('/enabled') },
    'webhook.unknown': UNKNOWN_WEBHOOK,
  },
  '/api/scim-connections': {
    'query.invalid': { query: '?limit=0' },
    'request.malformed': { body: 'null' },
    'field.invalid': {
      body: { name: 'Okta', workspace: 'none' },
      field: 'workspace',
      errors: at('/workspace', 'none'),
    },
  },
  '/api/scim-connections/{id}': {
    'request.malformed': { body: 'null' },
    'field.read_only': { body: { idFrom: 'userName' }, field: 'idFrom', errors: at('/idFrom') },
    'field.invalid': { body: { name: '' }, errors: at('/name') },
    'scim_connection.unknown': UNKNOWN_RECORD,
  },
  '/api/scim-connections/{id}/token': {
    'field.invalid': { body: { overlap: -1 }, field: 'overlap', errors: at('/overlap') },
    'scim_connection.unknown': UNKNOWN_RECORD,
  },
  '/api/webhooks/{id}/secret': { 'webhook.unknown': UNKNOWN_WEBHOOK },
  '/api/webhooks/{id}/deliveries': { 'webhook.unknown': UNKNOWN_WEBHOOK, 'query.invalid': { query: '?limit=0' } },
  '/api/webhooks/{id}/deliveries/{deliveryId}': {
    'webhook.unknown': UNKNOWN_WEBHOOK,
    'webhook_delivery.unknown': UNKNOWN_DELIVERY,
  },
  '/api/webhooks/{id}/deliveries/{deliveryId}/replay': {
    'webhook.unknown': UNKNOWN_WEBHOOK,
    'webhook_delivery.unknown': UNKNOWN_DELIVERY,
  },
};

/**
 * A request to this route that is answered with this code: what follows the base address, and the rest of it.
 *
 * @param parameters those that are right, by their names in the path
 */
export function provoking(
  code: AnyErrorCode,
  method: string,
  path: string,
  service: Pick<TestService, 'tokenOf'>,
  parameters: Record<string, string> = {},
): { target: string; init: RequestInit; field?: string; errors: Provocation['errors'] } {
  const provocation = ON_ONE_ROUTE[`${method} ${path}`]?.[code] ?? ON_ONE_ROUTE[path]?.[code] ?? ON_ANY_ROUTE[code];
  if (!provocation) throw new Error(`Tell in this file what ${method} ${path} answers with ${code}.`);
  const headers = {
    authorization: `Bearer ${service.tokenOf(provocation.caller ?? 'ada')}`,
    ...(method === 'GET'
      ? {}
      : { 'content-type': path === '/api/imports' ? 'application/x-ndjson' : 'application/json' }),
    ...provocation.headers,
  };
  const body = provocation.body ?? RIGHT_BODIES[`${method} ${path}`];
  const init = {
    method: provocation.method ?? method,
    headers: Object.fromEntries(
      Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    body: typeof body === 'string' ? body : JSON.stringify(body)?.replace('the token of ada', service.tokenOf('ada')),
  };
  const target = fillIn(path, { ...rightParameters(path, parameters), ...provocation.parameters });
  return { target: target + (provocation.query ?? ''), init, field: provocation.field, errors: provocation.errors };
}

/** Those that are right for a path: of the demo directory, where it is about a record of it. */
export function rightParameters(path: string, parameters: Record<string, string>): Record<string, string> {
  const [, id] = RIGHT_IDS.find(([pattern]) => pattern.test(path)) ?? [];
  return id === undefined ? parameters : { ...parameters, id };
}

/** A declared path with its parameters in place. */
export function fillIn(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
}

function at(pointer: string, id?: string): Provocation['errors'] {
  return [id === undefined ? { pointer } : { pointer, id }];
}

function ids(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `id-${index}`);
}
