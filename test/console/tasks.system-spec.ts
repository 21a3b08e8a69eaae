import { readFileSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Receiver } from '../webhooks/receiver';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

const MOST_ACTIONS = 5;
const BOX = 'Find people';
const herd = Array.from({ length: 250 }, (_, index) => `herd-${index}`);

interface Task {
  task: string;
  /** What others have done before. */
  before?: (calls: Calls) => Promise<unknown>;
  does: (person: Administrator, calls: Calls) => Promise<void>;
  /** What the API tells afterwards. */
  leaves: (calls: Calls) => Promise<unknown>;
  as: unknown;
  /** The browser itself tells of an answer of failure. */
  complains?: RegExp;
}

describeInBrowser('what an administrator does, from a page that was just opened', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let receiver: Receiver;
  let shown = '';

  beforeAll(async () => {
    service = await startDemoService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    calls = new Calls(service);
    receiver = await Receiver.open();
    for (const id of ['crew-1', 'crew-2', 'crew-3', ...herd]) await calls.done('POST', '/api/users', { id });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await receiver?.close();
  });

  const inDialog = (person: Administrator) => person.page.getByRole('dialog');
  const membersOf = async (calls: Calls, group: string) =>
    (await calls.done<{ users: { id: string }[] }>('GET', `/api/users?group=${group}`)).users.map(({ id }) => id);
  const statusOf = async (calls: Calls, id: string) =>
    (await calls.done<{ status: string }>('GET', `/api/users/${id}`)).status;

  /** A delivery that the receiver refused, and that is not tried again by itself. */
  async function refuseDelivery(): Promise<void> {
    receiver.behaviour = () => 500;
    const { id } = await calls.done<{ id: string }>('POST', '/api/webhooks', {
      url: receiver.url,
      events: ['user.created'],
    });
    await calls.done('POST', '/api/users', { id: 'delivered' });
    await receiver.got(1);
    for (;;) {
      const [row]: { last_status: number | null }[] = await service.dataSource.query(
        'SELECT last_status FROM webhook_deliveries WHERE subscription_id = $1',
        [id],
      );
      if (row?.last_status === 500) break;
    }
    await service.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'failed', finished_at = now() WHERE subscription_id = $1`,
      [id],
    );
    receiver.behaviour = () => 204;
  }

  const TASKS: Task[] = [
    {
      task: 'finds somebody, and reads why they are a manager',
      does: async (person) => {
        await person.type(BOX, 'ben');
        await person.press('Enter');
        await person.page
          .locator('.why > li')
          .filter({ hasText: /through .?Managers/ })
          .filter({ hasText: /Atlas/ })
          .waitFor();
        shown = await person.page.locator('.why > li').first().innerText();
      },
      leaves: () => Promise.resolve(shown),
      as: expect.stringMatching(/^Manager, through Managers \(Atlas\), since /),
    },
    {
      task: 'puts three people into a group',
      does: async (person) => {
        await person.type(BOX, 'crew');
        await person.sees('3 people found');
        await person.click('checkbox', 'Select all shown');
        await person.click('button', /^Add to/);
        await person.click('option', /^\s*.?Editors.? \(.?Borealis/);
        await person.click('button', 'Add 3 people');
        await person.sees(/3 people were added/);
      },
      leaves: (calls) => membersOf(calls, 'borealis-editors'),
      as: expect.arrayContaining(['crew-1', 'crew-2', 'crew-3']),
    },
    {
      task: 'takes somebody out of a group',
      does: async (person) => {
        await person.click('link', 'Ben');
        await person.takeOut('Atlas', 'Managers');
        await person.click('button', 'Take 1 person out', inDialog(person));
        await person.sees(/1 person was taken out/);
      },
      leaves: (calls) => membersOf(calls, 'atlas-managers'),
      as: [],
    },
    {
      task: 'suspends somebody with a reason, and takes it back',
      does: async (person) => {
        await person.page.getByLabel(/^Select .?Dee/).waitFor();
        await person.click('checkbox', /^Select .?Dee/);
        await person.click('button', 'Suspend');
        await person.type(/^Reason/, 'by mistake', inDialog(person));
        await person.click('button', 'Suspend 1 person', inDialog(person));
        await person.sees(/1 person was suspended/);
        const answered = person.page.waitForResponse((response) => /\/undo$/.test(new URL(response.url()).pathname));
        await person.click('button', 'Undo');
        expect((await answered).status()).toBe(200);
      },
      leaves: async (calls) => [
        await statusOf(calls, 'dee'),
        (
          await calls.done<{ entries: { reason: string | null }[] }>('GET', '/api/journal?user=dee&limit=2')
        ).entries.map(({ reason }) => reason),
      ],
      as: ['active', expect.arrayContaining(['by mistake'])],
    },
    {
      task: 'activates somebody',
      does: async (person) => {
        await person.click('link', 'Eve');
        await person.click('button', 'Activate');
        await person.click('button', 'Activate 1 person', inDialog(person));
        await person.sees(/1 person was activated/);
      },
      leaves: (calls) => statusOf(calls, 'eve'),
      as: 'active',
    },
    {
      task: 'creates somebody',
      does: async (person) => {
        await person.click('button', 'New person');
        await person.type('Name', 'Fay', inDialog(person));
        await person.type('Email address', 'fay@example.com', inDialog(person));
        await person.click('button', 'Create', inDialog(person));
        await person.page.getByRole('heading', { name: 'Fay' }).waitFor();
      },
      leaves: (calls) => calls.done('GET', '/api/users?email=fay@example.com'),
      as: expect.objectContaining({ users: [expect.objectContaining({ displayName: 'Fay' })] }),
    },
    {
      task: 'changes a name although somebody else has just changed the record',
      does: async (person, calls) => {
        await person.click('link', 'Cyd');
        await person.click('button', 'Edit');
        await person.type('Name', 'Cyd of Ada', inDialog(person));
        await calls.done('PATCH', '/api/users/cyd', { displayName: 'Cyd of Zoe', email: 'cyd@zoe.example' });
        await person.click('button', 'Save', inDialog(person));
        await person.sees(/^Changed by/, inDialog(person));
        await person.click('button', 'Save', inDialog(person));
        await person.page.getByRole('heading', { name: 'Cyd of Ada' }).waitFor();
      },
      leaves: (calls) => calls.done('GET', '/api/users/cyd'),
      as: expect.objectContaining({ displayName: 'Cyd of Ada', email: 'cyd@zoe.example' }),
      complains: /412/,
    },
    {
      task: 'undoes a change from the history',
      before: (calls) =>
        calls.done('POST', '/api/users/status-assign', { userIds: ['crew-1'], status: 'inactive', reason: 'oops' }),
      does: async (person) => {
        await person.click('link', 'History');
        await person.sees(/crew-1.* was suspended/);
        await person.click('button', /^Undo/);
        await person.click('button', 'Undo', inDialog(person));
        await person.sees(/^Undone/);
      },
      leaves: (calls) => statusOf(calls, 'crew-1'),
      as: 'active',
    },
    {
      task: 'saves all that one administrator changed this week',
      before: (calls) =>
        calls.done('POST', '/api/users/status-assign', { userIds: herd, status: 'inactive', reason: 'audit' }),
      does: async (person) => {
        await person.click('link', 'History');
        await person.click('button', '7 days');
        await person.click('button', 'by me');
        await person.sees('Ada suspended 250 people');
        const download = person.page.waitForEvent('download');
        await person.click('button', 'Export');
        shown = readFileSync(await (await download).path(), 'utf8');
      },
      leaves: () => Promise.resolve(shown.split('\r\n').filter((line) => line.includes(',audit,')).length),
      as: 250,
    },
    {
      task: 'makes somebody an administrator',
      does: async (person) => {
        await person.click('link', 'Ben');
        person.actions++;
        await person.page.getByText('More', { exact: true }).click();
        await person.click('button', 'Make administrator …');
        await person.sees(/Ben.* becomes an administrator/, inDialog(person));
        await person.click('button', 'Make administrator', inDialog(person));
        await person.sees(/is an administrator now/);
      },
      leaves: async (calls) => (await calls.done<{ type: string }>('GET', '/api/users/ben')).type,
      as: 'administrator',
    },
    {
      task: 'takes administration away from somebody',
      does: async (person) => {
        await person.click('link', 'Ben');
        person.actions++;
        await person.page.getByText('More', { exact: true }).click();
        await person.click('button', 'Take administration away …');
        await inDialog(person)
          .getByText(/was .?administrator/)
          .first()
          .waitFor();
        await person.click('button', 'Take administration away', inDialog(person));
        await person.sees(/Administration was taken away/);
      },
      leaves: async (calls) => (await calls.done<{ type: string }>('GET', '/api/users/ben')).type,
      as: expect.not.stringMatching('administrator'),
    },
    {
      task: 'deletes a workspace knowing whom that touches',
      before: (calls) => calls.done('POST', '/api/workspaces', { id: 'doomed', name: 'Doomed place' }),
      does: async (person) => {
        await person.click('link', 'Workspaces');
        await person.click('link', 'Doomed place');
        await person.click('button', 'Delete');
        await person.sees(/^Nobody’s permissions or places change/, inDialog(person));
        await person.type(/^To confirm/, 'Doomed place', inDialog(person));
        await person.click('button', 'Delete', inDialog(person));
        await person.sees(/Doomed place.* was deleted/);
      },
      leaves: async (calls) => (await calls.call('GET', '/api/workspaces/doomed')).status,
      as: 404,
    },
    {
      task: 'gives somebody another id',
      before: (calls) => calls.done('POST', '/api/users', { id: 'mis-typed' }),
      does: async (person) => {
        await person.page.evaluate(`location.hash = '#/people/mis-typed'`);
        person.actions++;
        await person.page.getByText('More', { exact: true }).click();
        await person.click('button', 'Change the id …');
        await person.type('New id', 'well-typed', inDialog(person));
        await person.type(/^To confirm/, 'mis-typed', inDialog(person));
        await person.click('button', 'Change the id', inDialog(person));
        await person.sees(/The id of .* is now/);
      },
      leaves: async (calls) => (await calls.call('GET', '/api/users/well-typed')).status,
      as: 200,
    },
    {
      task: 'erases somebody',
      before: (calls) => calls.done('POST', '/api/users', { id: 'forget-me', displayName: 'Forget Me' }),
      does: async (person) => {
        await person.page.evaluate(`location.hash = '#/people/forget-me'`);
        person.actions++;
        await person.page.getByText('More', { exact: true }).click();
        await person.click('button', 'Erase personal data …');
        await person.type(/^To confirm/, 'Forget Me', inDialog(person));
        await person.click('button', 'Erase', inDialog(person));
        await person.sees(/The personal data of .* was erased/);
      },
      leaves: async (calls) => (await calls.call('GET', '/api/users/forget-me')).status,
      as: 404,
    },
    {
      task: 'offboards somebody',
      does: async (person) => {
        await person.click('link', 'Cyd of Ada');
        await person.openMore();
        await person.click('button', 'Offboard …');
        await person.type('Reason', 'has left', inDialog(person));
        await person.click('button', 'Offboard', inDialog(person));
        await person.sees(/is suspended and out of everything/);
      },
      leaves: async (calls) => [await statusOf(calls, 'cyd'), await calls.done('GET', '/api/users/cyd/memberships')],
      as: ['inactive', { memberships: [], next: null }],
    },
    {
      task: 'suspends three thousand at once',
      before: () =>
        service.dataSource.query(
          `INSERT INTO users (id, type, status) SELECT 'mass-' || i, 'guest', 'active' FROM generate_series(1, 3000) AS i`,
        ),
      does: async (person) => {
        await person.type(BOX, 'mass-');
        await person.sees('3,000 people found');
        await person.click('checkbox', 'Select all shown');
        await person.click('button', 'Select all that were found');
        await person.sees(/^3,000 selected$/);
        await person.click('button', 'Suspend');
        await person.click('button', 'Suspend 3,000 people', inDialog(person));
        await person.sees(/^3,000 people were suspended/);
      },
      leaves: async (calls) =>
        (
          await calls.done<{ total: { count: number } }>(
            'GET',
            '/api/users?search=mass-&status=inactive&total=true&limit=1',
          )
        ).total.count,
      as: 3000,
    },
    {
      task: 'makes a connection, and sees its token',
      does: async (person) => {
        await person.click('link', 'Connections');
        await person.click('button', 'New connection');
        await person.click('button', 'Okta', inDialog(person));
        await person.click('option', /^\s*Atlas/);
        await person.click('button', 'Create connection');
        shown = await person.page.getByLabel('OAuth Bearer Token', { exact: true }).inputValue();
      },
      leaves: async (calls) => (await calls.call('GET', '/scim/v2/Users', undefined, shown)).status,
      as: 200,
    },
    {
      task: 'sends again what a receiver refused',
      before: refuseDelivery,
      does: async (person) => {
        await person.click('link', 'Webhooks');
        await person.sees('1 delivery fails');
        await person.click('link', receiver.url);
        await person.sees('The receiver answered 500.');
        await person.click('button', 'Send again');
        await person.sees('It was delivered.');
      },
      leaves: () => Promise.resolve(receiver.received.map(({ event }) => event.data.user)),
      as: ['delivered', 'delivered'],
    },
  ];

  it.each(TASKS)('$task', async ({ before, does, leaves, as, complains }) => {
    await before?.(calls);
    const person = await Administrator.at(browser, service);
    try {
      await does(person, calls);
      expect(await leaves(calls)).toEqual(as);
      expect(person.actions).toBeLessThanOrEqual(MOST_ACTIONS);
      // Who uses a keyboard goes on from where they were.
      await until(person.page, 'document.activeElement !== document.body');
      expect(person.complaints.filter((text) => !complains?.test(text))).toEqual([]);
    } finally {
      await person.close();
    }
  });
});
