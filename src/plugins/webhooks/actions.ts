import { PluginActions } from '../plugin';

/** Without the secret. */
interface WebhookFacts {
  webhook: string;
  /** The origin of its address alone: what follows can be another system's secret. */
  url?: string;
  events?: readonly string[];
  enabled?: boolean;
  /** Only if it is not the usual one. */
  contentType?: 'application/json';
  /** The secret was changed. */
  secretRotated?: true;
}

/** The facts of the actions of webhooks. */
export type WebhookActionFacts = Record<'webhook.created' | 'webhook.updated' | 'webhook.deleted', WebhookFacts>;

export const WEBHOOK_ACTIONS = new PluginActions<WebhookActionFacts>({
  'webhook.created': { summary: 'A webhook was registered' },
  'webhook.updated': { summary: 'A webhook was changed' },
  'webhook.deleted': { summary: 'A webhook was deleted' },
});
