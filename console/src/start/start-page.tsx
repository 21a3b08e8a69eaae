import type { JournalEntry, ScimConnection, Webhook } from '@user-administration/client';
import type { ComponentChildren, VNode } from 'preact';
import { ActSentence } from '../history/act-sentence.tsx';
import { type Act, actsOf } from '../history/acts.ts';
import { after } from '../history/facts.ts';
import { olderPage } from '../history/rest-of-act.ts';
import { t } from '../language/language.ts';
import { rich } from '../language/message.tsx';
import { Time } from '../language/time.tsx';
import { Ending } from '../people/ending.tsx';
import { type EndingPerson, pagesOfEnding } from '../people/ends-of.ts';
import { asFilter } from '../people/people-query.ts';
import { PlaceLabel } from '../places/place-label.tsx';
import { Named } from '../records/named.tsx';
import { href } from '../routing/address.ts';
import { service } from '../service.ts';
import { useMayChange } from '../session/administrators-only.tsx';
import { dayOf, momentsOf } from '../ui/days.ts';
import { useLoaded } from '../ui/load.ts';
import { ErrorNotice, Skeleton } from '../ui/notice.tsx';
import { isFailing } from '../webhooks/failing.ts';
import { WebhookState } from '../webhooks/webhook-state.tsx';

/** Rows of a box. */
const SHOWN = 6;
const ENDING_WITHIN = '14';
const WEEK_MS = 7 * 86_400_000;
const STATUSES = 200;
/** So many webhooks are asked for their last delivery. */
const WEBHOOKS = 20;

/** What somebody who begins to work should know: each box is the beginning of a list. */
export function StartPage() {
  const mayChange = useMayChange();
  return (
    <>
      <h1>{t('page.start')}</h1>
      {!mayChange && <p class="notice">{t('start.look')}</p>}
      <div class="boxes">
        <Box<EndingPerson>
          title={t('start.ending')}
          to={href(['people'], { ends: ENDING_WITHIN })}
          none={t('start.ending_none')}
          load={ending}
          show={({ id, ends: [first] }) => (
            <>
              <Named kind="user" id={id} />{' '}
              <span class="end row tight">
                {first?.place && <PlaceLabel {...first.place} />} <Ending user={id} {...first} at={first?.until} />
              </span>
            </>
          )}
        />
        <Box<JournalEntry>
          title={t('start.suspended')}
          to={href(['history'], { action: 'user.status.changed', from: weekAgo() })}
          none={t('start.suspended_none')}
          load={suspended}
          show={({ user, at, reason }) => (
            <>
              <Named kind="user" id={user ?? ''} /> {reason && <q>{reason}</q>} <When at={at} />
            </>
          )}
        />
        {mayChange && (
          <>
            <Box<Webhook>
              title={t('start.webhooks')}
              to={href(['webhooks'])}
              none={t('start.webhooks_none')}
              load={troubledWebhooks}
              show={(webhook) => (
                <>
                  <a href={href(['webhooks', webhook.id])}>
                    <bdi dir="ltr">{webhook.url}</bdi>
                  </a>
                  <span class="end">
                    {webhook.enabled ? (
                      <span class="word inactive">{t('start.failed')}</span>
                    ) : (
                      <WebhookState webhook={webhook} />
                    )}
                  </span>
                </>
              )}
            />
            <Box<ScimConnection>
              title={t('page.connections')}
              to={href(['connections'])}
              none={t('connection.none')}
              load={connections}
              show={({ name, lastUsedAt }) => (
                <>
                  <bdi>{name}</bdi>
                  <small class="end">
                    {lastUsedAt
                      ? rich('connection.heard', { time: <Time at={lastUsedAt} /> })
                      : t('connection.not_heard')}
                  </small>
                </>
              )}
            />
          </>
        )}
        <Box<Act>
          title={t('start.today')}
          to={href(['history'], { from: today() })}
          none={t('start.today_none')}
          load={actsOfToday}
          show={(act) => (
            <>
              <ActSentence act={act} /> <When at={act.main.at} />
            </>
          )}
        />
      </div>
    </>
  );
}

/** The first of a list. */
interface First<Item> {
  items: readonly Item[];
  /** How many there are; undefined where nobody counted them. */
  count?: number | undefined;
}

function Box<Item>({
  title,
  to,
  none,
  load,
  show,
}: {
  title: string;
  to: string;
  none: string;
  load: (signal: AbortSignal) => Promise<First<Item>>;
  show: (item: Item) => VNode;
}) {
  const { value, error, isSlow, reload } = useLoaded(load, []);
  return (
    <section class="card">
      <h2>
        <a href={to}>{title}</a> {value?.count ? <small class="count">{value.count}</small> : null}
      </h2>
      <ErrorNotice error={error} retry={reload} />
      {!value && error === undefined && <Skeleton rows={3} isSlow={isSlow} />}
      {value?.items.length === 0 && <p class="hint">{none}</p>}
      <ul class="rows">
        {value?.items.slice(0, SHOWN).map((item, index) => (
          <Line key={index}>{show(item)}</Line>
        ))}
      </ul>
    </section>
  );
}

const Line = ({ children }: { children: ComponentChildren }) => <li class="line">{children}</li>;
const When = ({ at }: { at: string }) => (
  <small class="end">
    <Time at={at} />
  </small>
);

const today = () => dayOf(new Date());
const weekAgo = () => dayOf(new Date(Date.now() - WEEK_MS));

async function ending(signal: AbortSignal): Promise<First<EndingPerson>> {
  const { endsBefore = '' } = asFilter({ ends: ENDING_WITHIN });
  const { value } = await pagesOfEnding({ endsBefore }, SHOWN, signal).next();
  return { items: value?.items ?? [], count: value?.total?.count };
}

/** Those who were suspended, and not activated since. */
async function suspended(signal: AbortSignal): Promise<First<JournalEntry>> {
  const { from } = momentsOf(weekAgo());
  const { value } = await service.journal
    .list({ action: ['user.status.changed'], from, limit: STATUSES }, { signal })
    .pages()
    .next();
  const newest = new Map<string | null, JournalEntry>();
  for (const entry of value?.items ?? []) if (!newest.has(entry.user)) newest.set(entry.user, entry);
  const items = [...newest.values()].filter((entry) => after(entry).status === 'inactive');
  return { items, count: value?.next === null ? items.length : undefined };
}

/** Those that are off, or whose last delivery failed. */
async function troubledWebhooks(signal: AbortSignal): Promise<First<Webhook>> {
  const webhooks = (await service.webhooks.list({ signal })).slice(0, WEBHOOKS);
  const troubled = await Promise.all(webhooks.map(async ({ id, enabled }) => !enabled || hasFailed(id, signal)));
  const items = webhooks.filter((_, index) => troubled[index]);
  return { items, count: items.length };
}

async function hasFailed(id: string, signal: AbortSignal): Promise<boolean> {
  const { value } = await service.webhooks.deliveries(id, { limit: 1 }, { signal }).pages().next();
  return value?.items.some(isFailing) ?? false;
}

async function connections(signal: AbortSignal): Promise<First<ScimConnection>> {
  const { value } = await service.scimConnections.list({ limit: SHOWN }, { signal }).pages().next();
  return { items: value?.items ?? [] };
}

async function actsOfToday(signal: AbortSignal): Promise<First<Act>> {
  const { items } = await olderPage(momentsOf(today()), undefined, signal);
  return { items: actsOf(items) };
}
