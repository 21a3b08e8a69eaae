import { useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '@user-administration/client';
import { t } from '../language/language.ts';
import { ACTIONS, KINDS } from '../history/kinds.ts';
import { service } from '../service.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, Field, Form } from '../ui/form.tsx';
import { errorAt, type Submission, useSubmission } from '../ui/submit.ts';
import { say } from '../ui/toast.tsx';

type EventType = Webhook['events'][number];
type Fields = Pick<Webhook, 'url' | 'events' | 'contentType'>;

/** What is done to webhooks and connections goes to no webhook. */
const EVENTS = ACTIONS.filter((action): action is EventType => !/^(webhook|scim_connection)\./.test(action));
const CONTENT_TYPES = ['application/cloudevents+json', 'application/json'] as const;

export function CreateWebhook({ onClose, onDone }: { onClose: () => void; onDone: (made: WebhookWithSecret) => void }) {
  const [fields, setFields] = useState<Fields>({ url: '', events: EVENTS, contentType: CONTENT_TYPES[0] });
  const submission = useSubmission((key) => service.webhooks.create(fields, key), onDone);
  return (
    <Dialog title={t('webhook.new')} onClose={onClose}>
      <FieldsForm {...{ fields, submission, onClose }} change={setFields} action={t('webhook.create')} />
    </Dialog>
  );
}

/** @param webhook as it was shown: the change is made only if it still is */
export function ChangeWebhook({
  webhook,
  onClose,
  onOutdated,
}: {
  webhook: Webhook & { etag: string };
  onClose: () => void;
  onOutdated: () => void;
}) {
  const [fields, setFields] = useState<Fields>(webhook);
  const submission = useSubmission(
    () => {
      const { url, events, contentType } = fields;
      return service.webhooks.update(webhook.id, { url, events, contentType }, { ifMatch: webhook.etag });
    },
    ({ url }) => (onClose(), say(t('form.saved', { name: url }))),
  );
  return (
    <Dialog title={t('webhook.edit')} onClose={onClose}>
      <FieldsForm {...{ fields, submission, onClose, onOutdated }} change={setFields} action={t('action.save')} />
    </Dialog>
  );
}

function FieldsForm({
  fields,
  change,
  submission,
  action,
  onClose,
  onOutdated,
}: {
  fields: Fields;
  change: (fields: Fields) => void;
  submission: Submission;
  action: string;
  onClose: () => void;
  onOutdated?: () => void;
}) {
  const wrong = (field: keyof Fields) => errorAt(submission.error, field);
  const withEvent = (event: EventType, isChosen: boolean) =>
    EVENTS.filter((each) => (each === event ? isChosen : fields.events.includes(each)));
  return (
    <Form fields={['url', 'events', 'contentType']} {...{ submission, action, onClose, onOutdated }}>
      <Field label={t('webhook.url')} hint={t('webhook.url_hint')} error={wrong('url')}>
        {(attributes) => (
          <input
            {...attributes}
            inputMode="url"
            dir="ltr"
            autocomplete="off"
            autofocus
            required
            value={fields.url}
            onInput={({ currentTarget }) => change({ ...fields, url: currentTarget.value })}
          />
        )}
      </Field>
      <Choices legend={t('webhook.events')} error={wrong('events')}>
        <label class="choice">
          <input
            type="checkbox"
            checked={fields.events.length === EVENTS.length}
            onChange={({ currentTarget }) => change({ ...fields, events: currentTarget.checked ? EVENTS : [] })}
          />
          <strong>{t('webhook.all_events')}</strong>
        </label>
        <div class="events">
          {EVENTS.map((event) => (
            <label key={event} class="choice">
              <input
                type="checkbox"
                checked={fields.events.includes(event)}
                onChange={({ currentTarget }) => change({ ...fields, events: withEvent(event, currentTarget.checked) })}
              />
              {t(KINDS[event])}
            </label>
          ))}
        </div>
      </Choices>
      <Field label={t('webhook.content_type')} hint={t('webhook.content_type_hint')} error={wrong('contentType')}>
        {(attributes) => (
          <select
            {...attributes}
            value={fields.contentType}
            onChange={({ currentTarget }) =>
              change({ ...fields, contentType: currentTarget.value as Fields['contentType'] })
            }
          >
            {CONTENT_TYPES.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  );
}
