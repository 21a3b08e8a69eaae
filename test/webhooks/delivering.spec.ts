import type { NewEntry } from '../../src/journal/new-entry';
import { type Behaviour, Receiver } from './receiver';
import { openTrialAndReceivers } from './trial-and-receivers';
import { all, EAGER, type WebhookTrial } from './webhook-trial';
import { FILE_ACTIONS } from '../../src/plugins/transfer/actions';

let trial: WebhookTrial;
let receiver: Receiver;

openTrialAndReceivers((opened) => ({ trial, receiver } = opened));

/** Fails so many times for these users, and takes the rest. */
function failing(times: number, users: readonly string[], status = 500): Behaviour {
  const left = new Map(users.map((user) => [user, times]));
  return ({ event }) => {
    const user = event.data.user ?? '';
    const failures = left.get(user) ?? 0;
    left.set(user, failures - 1);
    return failures > 0 ? status : 204;
  };
}

describe('a delivery', () => {
  it('is sent for every entry that a webhook subscribes to, as a CloudEvent', async () => {
    await trial.subscribe(receiver.url, ['user.type.changed', 'group.permissions.changed']);
    const [changed, , ofGroup] = await trial.append(
      { action: 'user.type.changed', user: 'zoë', before: { type: 'guest' }, after: { type: 'member' } },
      { action: 'user.status.changed', user: 'zoë', before: { status: 'active' }, after: { status: 'inactive' } },
      {
        action: 'group.permissions.changed',
        workspaces: ['atlas'],
        after: { group: 'editors', permissions: ['edit'] },
      },
    );
    await trial.work();
    await trial.deliveriesThat(all('delivered'));

    const [first, second, ...others] = receiver.received;
    expect(others).toEqual([]);
    const events = [first, second].map((received) => received?.event);
    expect(events).toContainEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^msg_[\w-]+$/),
      source: '/user-administration',
      type: 'user.type.changed',
      subject: 'zoë',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      datacontenttype: 'application/json',
      data: {
        entry: changed,
        user: 'zoë',
        workspaces: [],
        before: { type: 'guest' },
        after: { type: 'member' },
        actor: { kind: 'user', id: 'ada' },
        grantedBy: null,
        reason: null,
        requestId: 'request-1',
      },
    });
    expect(events).toContainEqual(
      expect.objectContaining({ subject: 'atlas', data: expect.objectContaining({ entry: ofGroup, user: null }) }),
    );
    expect(first).toMatchObject({
      method: 'POST',
      path: '/hooks?of=users',
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'content-length': String(Buffer.byteLength(first?.text ?? '')),
        'webhook-id': first?.event.id,
      },
    });
  });

  it('is also sent for entries without a user or workspace, in order', async () => {
    await trial.subscribe(receiver.url, ['directory.imported', 'permission.created']);
    const imported = ['read', 'edit'].map((permission): NewEntry => {
      return { action: 'permission.created', after: { permission, description: null, grants: 'member' } };
    });
    const none = { users: 0, workspaces: 0, groups: 0, permissions: 0 };
    const after = { name: null, created: { ...none, permissions: 2 }, changed: none, deactivated: 0 };
    const entries = await trial.append(FILE_ACTIONS.entry('directory.imported', { after }), ...imported);
    await trial.work();
    await trial.deliveriesThat(all('delivered'));

    const events = receiver.received.map(({ event }) => event);
    expect(events.map(({ data }) => data.entry)).toEqual(entries);
    expect(events[0]).toMatchObject({ type: 'directory.imported', data: { user: null, workspaces: [], after } });
    for (const event of events) expect(event).not.toHaveProperty('subject');
  });

  it('is not made for a change that was rolled back', async () => {
    await trial.subscribe(receiver.url);
    const undone = trial.dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT journal_append_changes('user', 'ada', NULL, NULL, NULL, NULL, ARRAY[('user.type.changed', '{ben}', NULL, NULL, NULL)::journal_new_change])`,
      );
      expect(await manager.query('SELECT FROM journal_inbox')).toHaveLength(1);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await trial.append();
    expect(await trial.deliveries()).toEqual([]);
  });

  it('is not made for changes while the webhook is disabled, not even later', async () => {
    const { id } = await trial.subscribe(receiver.url);
    await trial.dataSource.query(
      `UPDATE webhook_subscriptions SET enabled = false, disabled_reason = 'administrator' WHERE id = $1`,
      [id],
    );
    await trial.promote('ben');
    await trial.enable();
    const [later] = await trial.promote('ben');
    await trial.work();
    await trial.deliveriesThat(all('delivered'));
    expect(receiver.entriesByUser()).toEqual({ ben: [later] });
  });

  it('is not sent while its webhook is disabled', async () => {
    const { id } = await trial.subscribe(receiver.url);
    const other = await trial.subscribe(receiver.url);
    await trial.promote('ben');
    await trial.dataSource.query(
      `UPDATE webhook_subscriptions SET enabled = false, disabled_reason = 'administrator' WHERE id = $1`,
      [id],
    );
    await trial.work();
    await trial.deliveriesThat((rows) => rows.some(({ state }) => state === 'delivered'));
    await trial.stopWorkers();
    expect(receiver.received.map(({ event }) => event.id)).toEqual([expect.stringContaining(other.id)]);
  });

  it('is sent at once after a hint, without waiting for the next poll', async () => {
    await trial.subscribe(receiver.url);
    const worker = await trial.work({ pollMs: 3_600_000 });
    for (let count = 1; count <= 3; count++) {
      await trial.promote('ben');
      worker.hint();
      await receiver.got(count);
    }
  });

  it('is sent to every webhook, each at its own pace', async () => {
    const slow = await Receiver.open(() => undefined);
    await trial.subscribe(slow.url);
    await trial.subscribe(receiver.url);
    const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);
    await trial.promote(...users);
    await trial.work({
      claimedAtOnce: 10,
      concurrencyPerWebhook: 4,
      stopMs: 0,
      timeoutMs: 3_600_000,
      leaseMs: 7_200_000,
    });

    await receiver.got(40);
    expect(slow.received.length).toBe(4);
    await trial.stopWorkers();
    await slow.close();
  });
});

describe('receivers that never answer', () => {
  it('do not delay other webhooks, however many they are', async () => {
    const silent = await Receiver.open(() => undefined);
    const hung = 12;
    for (let count = 0; count < hung; count++) await trial.subscribe(silent.url);
    const { concurrencyPerWebhook, claimedAtOnce } = EAGER;
    await trial.promote(...Array.from({ length: concurrencyPerWebhook }, (_, index) => `user-${index}`));
    await trial.work({ timeoutMs: 3_600_000, leaseMs: 7_200_000, stopMs: 0 });
    await silent.got(hung * concurrencyPerWebhook);
    expect(silent.received.length).toBeGreaterThan(claimedAtOnce);

    await trial.subscribe(receiver.url);
    await trial.promote('ben', 'cyd');
    await receiver.got(2);
    expect(silent.received).toHaveLength(hung * concurrencyPerWebhook);
    await trial.stopWorkers();
    await silent.close();
  });
});

describe('the order of deliveries', () => {
  it('is kept for each user despite failures, and no user waits for another user', async () => {
    const users = ['ada', 'ben', 'cyd', 'dee'];
    receiver.behaviour = failing(3, ['ben', 'dee']);
    await trial.subscribe(receiver.url);
    const entries: Record<string, string[]> = { ada: [], ben: [], cyd: [], dee: [] };
    for (let round = 0; round < 5; round++) {
      const ids = await trial.promote(...users, ...users);
      ids.forEach((id, index) => entries[users[index % users.length] ?? '']?.push(id));
    }
    await trial.work();
    await trial.work();
    await trial.deliveriesThat(all('delivered'));

    const arrived = receiver.entriesByUser();
    expect(arrived.ada).toEqual(entries.ada);
    expect(arrived.cyd).toEqual(entries.cyd);
    for (const user of ['ben', 'dee']) {
      const [first, ...others] = entries[user] ?? [];
      expect(arrived[user]).toEqual([first, first, first, first, ...others]);
    }
  });

  it('makes later deliveries of a user wait, without being polled, until the earlier one is over', async () => {
    receiver.behaviour = failing(1, ['ben']);
    await trial.subscribe(receiver.url);
    await trial.promote('ben', 'ben', 'ben');
    const worker = await trial.work({ delaysMs: [3_600_000] });
    const rows = await trial.deliveriesThat(([first, ...others]) => first?.lease === null && all('waiting')(others));
    expect(rows.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(['pending 1', 'waiting 0', 'waiting 0']);

    await trial.dataSource.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending'`);
    worker.hint();
    await trial.deliveriesThat(all('delivered'));
    expect(receiver.received).toHaveLength(4);
  });

  it('is kept for a user who gets another id, and then another', async () => {
    await trial.subscribe(receiver.url, ['user.type.changed']);
    const [first] = await trial.promote('ben');
    let failures = 2;
    receiver.behaviour = ({ event }) => (event.data.entry === first && failures-- > 0 ? 500 : 204);
    const [, second, , third] = await trial.append(
      { action: 'user.renamed', user: 'ben', before: { id: 'ben' }, after: { id: 'bea' } },
      { action: 'user.type.changed', user: 'bea', before: { type: 'guest' }, after: { type: 'member' } },
      { action: 'user.renamed', user: 'bea', before: { id: 'bea' }, after: { id: 'bob' } },
      { action: 'user.type.changed', user: 'bob', before: { type: 'guest' }, after: { type: 'member' } },
    );
    // Another user has the first id.
    const [other] = await trial.promote('ben');
    await trial.work();
    await trial.deliveriesThat(all('delivered'));
    const arrived = receiver.received.map(({ event }) => event.data.entry).filter((entry) => entry !== other);
    expect(arrived).toEqual([first, first, first, second, third]);
  });

  it('continues after a delivery that failed for good', async () => {
    receiver.behaviour = failing(3, ['ben']);
    await trial.subscribe(receiver.url);
    const [first, second] = await trial.promote('ben', 'ben');
    await trial.work({ delaysMs: [0, 0] });
    const rows = await trial.deliveriesThat((all) => all.every(({ state }) => ['delivered', 'failed'].includes(state)));

    expect(rows.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(['failed 3', 'delivered 1']);
    expect(rows[0]).toMatchObject({ last_status: 500, last_error: 'answered 500' });
    expect(receiver.entriesByUser()).toEqual({ ben: [first, first, first, second] });
  });
});
