import type { EventFacts } from '../webhooks/event-facts.ts';

/** The fields of `before` and `after` for each action of the journal. Webhooks send the actions of {@link EventFacts}. */
export interface JournalFacts extends EventFacts {
  'webhook.created': WebhookFacts;
  /** Only the changed fields. */
  'webhook.updated': WebhookFacts;
  'webhook.deleted': WebhookFacts;
  'scim_connection.created': ConnectionFacts;
  /** Only the changed fields. */
  'scim_connection.updated': ConnectionFacts;
  'scim_connection.deleted': ConnectionFacts;
}

interface WebhookFacts {
  webhook: string;
  /** The origin of its address. */
  url?: string;
  events?: string[];
  enabled?: boolean;
  /** Only if it is not the usual one. */
  contentType?: 'application/json';
  /** The secret was changed. */
  secretRotated?: true;
}

interface ConnectionFacts {
  connection: string;
  name?: string;
  workspace?: string;
  workspaces?: string[];
  idFrom?: 'externalId' | 'userName';
  mayGrantAdministrator?: boolean;
  /** A new token was made. */
  tokenRotated?: true;
}
