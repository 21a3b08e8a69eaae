/** What only administrators open, and the history: a script of its own, which the browser loads with the first of these pages. */
export { ConnectionsPage } from './connections/connections-page.tsx';
export { HistoryPage } from './history/history-page.tsx';
export { ImportPage } from './imports/import-page.tsx';
export { StartPage } from './start/start-page.tsx';
export { WebhookPage } from './webhooks/webhook-page.tsx';
export { WebhooksPage } from './webhooks/webhooks-page.tsx';
export { Appoint } from './people/appoint.tsx';
export { Offboard } from './people/offboard.tsx';
export { RemovePerson } from './people/remove-person.tsx';
export { RenamePerson } from './people/rename-person.tsx';
export { StatusToken } from './people/status-token.tsx';
