/** What only administrators open, and the history: a script of its own, which the browser loads with the first of these pages. */
export { ConnectionsPage } from './connections/connections-page.tsx';
export { HistoryPage } from './history/history-page.tsx';
export { ImportPage } from './imports/import-page.tsx';
export { WebhookPage } from './webhooks/webhook-page.tsx';
export { WebhooksPage } from './webhooks/webhooks-page.tsx';
