export { signWebhook, UserAdministrationError, WebhookReceiver } from './index.ts';
export type * from './index.ts';
