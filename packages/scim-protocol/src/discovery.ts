import { GROUP_TYPE } from './group-schema';
import { LIMITS } from './limits';
import { listBody } from './list';
import type { Attribute, ResourceType, Schema } from './schema';
import { USER_TYPE } from './user-schema';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

export const RESOURCE_TYPES: readonly ResourceType[] = [USER_TYPE, GROUP_TYPE];
export const SCHEMAS: readonly Schema[] = RESOURCE_TYPES.flatMap(({ core, extensions }) => [core, ...extensions]);

/** RFC 7643 section 5. Only what is supported is declared. */
export function serviceProviderConfig(base: string): object {
  const limit = { supported: true, maxResults: LIMITS.page };
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: limit,
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Token of a connection',
        description: 'A bearer token that an administrator gets from POST /api/scim-connections',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** RFC 7643 section 6. */
export function resourceTypeBody(base: string, { name, path, description, core, extensions }: ResourceType): object {
  return {
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    description,
    endpoint: `/${path}`,
    schema: core.id,
    schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  };
}

/** RFC 7643 section 7. */
export function schemaBody(base: string, { id, name, description, attributes }: Schema): object {
  return {
    schemas: [`${CORE}:Schema`],
    id,
    name,
    description,
    attributes: attributes.map(attributeBody),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  };
}

function attributeBody(attribute: Attribute): object {
  const { name, type, description, canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    ...(type !== 'boolean' && type !== 'complex' && { caseExact: attribute.caseExact ?? false }),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(attributeBody) }),
  };
}

/** A list that is always whole: it has no pages (RFC 7644 section 4). */
export function wholeList(resources: readonly object[]): object {
  return listBody(resources, { total: resources.length, startIndex: 1 });
}
