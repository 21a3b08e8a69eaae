/** Where SCIM is served. */
export const SCIM_PATH = '/scim/v2';

export const SCIM_TYPE = 'application/scim+json';

/** What a body is sent as: SCIM's own type or, by many providers, plain JSON. */
export const SCIM_BODIES = /^application\/(?:scim\+)?json[ \t]*(?:;|$)/i;

/** Resources on a page, at most and by default. */
export const SCIM_PAGE = 200;
export const DEFAULT_PAGE = 100;

export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
