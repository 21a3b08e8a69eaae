export type { Attempt, AttemptEnd } from './calls/attempt.ts';
export type {
  CallOptions,
  ClientOptions,
  ConditionalOptions,
  Hooks,
  PostOptions,
  RecordOptions,
  RequestContext,
} from './client-options.ts';
export type { ClientErrorCode, ErrorCode } from './error-codes.ts';
export type { AccessFilter, AccessLine, AccessSource } from './operations/access.ts';
export type { FollowedPage, Following } from './operations/following.ts';
export type { ImportAnswer, ImportOptions } from './operations/imports.ts';
export type { FollowFilter, JournalEntry, JournalFilter, UndoOptions } from './operations/journal.ts';
export type { Page, Pages } from './operations/pages.ts';
export type { ScimConnection, ScimConnectionFilter, ScimConnectionWithToken } from './operations/scim-connections.ts';
export type { Assignment, DeletionOptions } from './operations/users.ts';
export type { Delivery, DeliveryFilter, DeliveryWithBody, Webhook, WebhookWithSecret } from './operations/webhooks.ts';
export { clientCredentials } from './tokens/client-credentials.ts';
export type { CredentialsOptions } from './tokens/credentials-grant.ts';
export type { TokenRequest, TokenSource } from './tokens/token-source.ts';
export type * from './types/bulk.ts';
export type * from './types/directory.ts';
export { UserAdministrationClient } from './user-administration-client.ts';
export { type ErrorLocation, type LineError, UserAdministrationError } from './user-administration-error.ts';
