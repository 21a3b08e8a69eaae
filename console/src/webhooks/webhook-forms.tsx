import type { Webhook, WebhookWithSecret } from '@user-administration/client';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { ACTIONS, KINDS } from '../history/kinds.ts';
import { deleted } from '../records/operations.ts';
import { goTo, href } from '../routing/address.ts';
import { service } from '../service.ts';
import { keyed, useChange } from '../ui/change.ts';
import { type Field, type Values, valuesOf } from '../ui/fields.ts';
import { FormDialog, useForm } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { say } from '../ui/toast.tsx';

export type ShownWebhook = Webhook & { etag: string };
type Fields = Pick<Webhook, 'url' | 'events' | 'contentType'>;

/** What is done to webhooks and connections goes to no webhook. */
const EVENTS = ACTIONS.filter((action) => !/^(webhook|scim_connection)\./.test(action));
const FIELDS: readonly Field[] = [
  { name: 'url', label: 'webhook.url', kind: 'text', isRequired: true, isCode: true, hint: 'webhook.url_hint' },
  {
    name: 'events',
    label: 'webhook.events',
    kind: 'checks',
    all: 'webhook.all_events',
    options: Object.fromEntries(EVENTS.map((event) => [event, KINDS[event]])),
  },
  {
    name: 'contentType',
    label: 'webhook.content_type',
    kind: 'choice',
    options: {
      'application/cloudevents+json': 'application/cloudevents+json',
      'application/json': 'application/json',
    },
    hint: 'webhook.content_type_hint',
  },
];

export function CreateWebhook({ onClose, onDone }: { onClose: () => void; onDone: (made: WebhookWithSecret) => void }) {
  const form = useForm({ url: '', events: EVENTS, contentType: 'application/cloudevents+json' });
  const change = useChange(
    (values: Values, id) => service.webhooks.create(values as unknown as Fields, keyed(id)),
    onDone,
  );
  return (
    <FormDialog
      title={t('webhook.new')}
      fields={FIELDS}
      action={t('webhook.create')}
      onSubmit={change.run}
      {...{ form, change, onClose }}
    />
  );
}

interface Asked {
  webhook: ShownWebhook;
  onClose: () => void;
  onOutdated: () => void;
}

/** @param webhook as it was shown: the change is made only if it still is */
export function ChangeWebhook({ webhook, ...asked }: Asked) {
  const form = useForm(valuesOf(FIELDS, webhook));
  const change = useChange(
    (values: Values, requestId) =>
      service.webhooks.update(webhook.id, values as unknown as Fields, { ifMatch: webhook.etag, requestId }),
    ({ url }) => (asked.onClose(), say(t('form.saved', { name: url }))),
  );
  return (
    <FormDialog
      title={t('webhook.edit')}
      fields={FIELDS}
      action={t('action.save')}
      onSubmit={change.run}
      {...{ form, change, ...asked }}
    />
  );
}

export function RotateSecret({ webhook, onDone, ...asked }: Asked & { onDone: (renewed: { secret: string }) => void }) {
  const change = useChange(
    (_: object, id) => service.webhooks.rotateSecret(webhook.id, { ...keyed(id), ifMatch: webhook.etag }),
    onDone,
  );
  return (
    <FormDialog
      title={t('webhook.rotate')}
      explain={<p>{t('webhook.rotate_about')}</p>}
      form={useForm({})}
      action={t('webhook.rotate')}
      onSubmit={change.run}
      {...{ change, ...asked }}
    />
  );
}

export function DeleteWebhook({ webhook: { id, url, etag }, ...asked }: Asked) {
  const change = useChange(
    (_: object, requestId, isAgain) => deleted(service.webhooks.delete(id, { ifMatch: etag, requestId }), isAgain),
    () => (goTo(href(['webhooks'])), say(t('form.deleted', { name: url }))),
  );
  return (
    <FormDialog
      title={t('webhook.delete')}
      explain={<p>{rich('webhook.delete_about', { url })}</p>}
      form={useForm({})}
      action={t('action.delete')}
      isDanger
      onSubmit={change.run}
      {...{ change, ...asked }}
    />
  );
}

/** The secret of a webhook, this once. */
export function NewSecret({ secret, isNew, onClose }: { secret: string; isNew?: boolean; onClose: () => void }) {
  return (
    <SecretDialog
      title={t(isNew ? 'webhook.made' : 'webhook.rotated')}
      label={t('webhook.secret')}
      secret={secret}
      hint={t(isNew ? 'webhook.secret_hint' : 'webhook.rotated_hint')}
      onClose={onClose}
    />
  );
}
