import { createHmac } from 'node:crypto';
import { type Browser, chromium } from 'playwright-core';
import type { WebhookListDto, WebhookWithSecretDto } from '../../src/plugins/webhooks/dto/webhook.dto';
import type { DeliveryDto } from '../../src/plugins/webhooks/dto/delivery.dto';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Receiver } from '../webhooks/receiver';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

describeInBrowser('the webhooks on the page of administrators', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let receiver: Receiver;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    calls = new Calls(service);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  beforeEach(async () => {
    receiver = await Receiver.open();
  });
  afterEach(async () => {
    await person.close();
    await service.dataSource.query('DELETE FROM webhook_subscriptions');
    await receiver.close();
  });

  const open = async (address: string) => {
    person = await Administrator.at(browser, service, { address });
  };
  const make = () =>
    calls.done<WebhookWithSecretDto>('POST', '/api/webhooks', { url: receiver.url, events: ['user.created'] });
  const createUser = (id: string) => calls.done('POST', '/api/users', { id });
  /** Deliveries that the receiver answers with 500, and that are not tried again soon. */
  async function failing({ id }: { id: string }, ...users: string[]): Promise<void> {
    receiver.behaviour = () => 500;
    for (const user of users) await createUser(user);
    for (;;) {
      const { deliveries } = await calls.done<{ deliveries: DeliveryDto[] }>('GET', `/api/webhooks/${id}/deliveries`);
      if (deliveries.filter(({ lastStatus }) => lastStatus === 500).length === users.length) break;
    }
    await service.dataSource.query(
      `UPDATE webhook_deliveries SET state = 'failed', finished_at = now() WHERE subscription_id = $1`,
      [id],
    );
  }

  it('show the secret of a new one once, and it signs what is sent', async () => {
    await open('#/webhooks');
    await person.click('button', 'New webhook');
    await person.type('Address', 'ftp://receiver.example/');
    await person.click('button', 'Create webhook');
    await person.page.locator('.form-field .fault').waitFor();
    expect(await person.page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
    await person.type('Address', receiver.url);
    await person.click('checkbox', 'Everything');
    await person.click('checkbox', 'Person created');
    await person.click('button', 'Create webhook');
    const secret = await person.page.getByLabel('Secret', { exact: true }).inputValue();
    await person.click('button', 'Close', person.page.locator('footer'));
    await person.sees(/not copied it yet/);
    await person.click('button', 'Close anyway');
    expect(await person.page.content()).not.toContain(secret);
    await person.page.getByRole('link', { name: receiver.url }).waitFor();
    const { webhooks } = await calls.done<WebhookListDto>('GET', '/api/webhooks');
    expect(webhooks.at(-1)).toMatchObject({ url: receiver.url, events: ['user.created'], enabled: true });
    await createUser('signed');
    const [received] = await receiver.got(1);
    const signed = `${received?.headers['webhook-id']}.${received?.headers['webhook-timestamp']}.${received?.text}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    expect(received?.headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect(await person.barriers()).toEqual([]);
    expect(person.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('whose secret was lost are told, with a way to a new one', async () => {
    await open('#/webhooks');
    const { page } = person;
    await person.click('button', 'New webhook');
    await person.type('Address', receiver.url);
    await page.route('**/api/webhooks', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await route.fetch();
      await route.fulfill({ status: 500, body: 'A proxy has lost the answer.' });
    });
    await person.click('button', 'Create webhook');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Try again' }).waitFor();
    await person.click('button', 'Close', dialog.locator('footer'));
    await person.sees(/ was registered, but its secret did not arrive/);
    await person.click('button', 'New secret', page.locator('.notice'));
    await person.click('button', 'New secret', dialog);
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
    const { webhooks } = await calls.done<WebhookListDto>('GET', '/api/webhooks');
    expect(webhooks).toHaveLength(1);
    expect(person.complaints.filter((text) => !text.includes('500'))).toEqual([]);
  });

  it('tell what fails and why, and send it again until it is known how that ended', async () => {
    const webhook = await make();
    await failing(webhook, 'f1', 'f2', 'f3');
    await open('#/webhooks');
    await person.sees('3 deliveries fail');
    await person.click('link', receiver.url);
    const row = person.page.locator('.delivery').first();
    await person.sees('given up', row);
    await person.sees('The receiver answered 500.', row);
    await person.click('button', 'What was sent', row);
    await person.sees(/"type": "user.created"/, row);
    await person.click('button', 'Send again', row);
    await person.sees('It failed again.');
    receiver.behaviour = () => 204;
    await person.click('button', 'Send again', row);
    await person.sees('delivered', row);
    await person.click('button', 'Send again the 2 that fail');
    await until(
      person.page,
      `[...document.querySelectorAll('.delivery .word')].filter((e) => e.textContent === 'delivered').length === 3`,
    );
    const { deliveries } = await calls.done<{ deliveries: DeliveryDto[] }>(
      'GET',
      `/api/webhooks/${webhook.id}/deliveries?state=delivered`,
    );
    expect(deliveries).toHaveLength(3);
    await person.page.getByLabel('State').selectOption('failed');
    await person.sees('There are no such deliveries.');
    expect(await person.barriers()).toEqual([]);
    expect(person.complaints).toEqual([]);
  });

  it('change, disable, enable, renew and delete one, and tell when it is not what was shown', async () => {
    const { id, secret } = await make();
    const read = () => calls.done<WebhookWithSecretDto>('GET', `/api/webhooks/${id}`);
    await open(`#/webhooks/${id}`);
    await person.click('button', 'Disable');
    await person.sees('disabled by an administrator');
    expect((await read()).enabled).toBe(false);
    await person.click('button', 'Enable');
    await person.page.getByText('enabled', { exact: true }).waitFor();
    expect((await read()).enabled).toBe(true);
    await person.click('button', 'Edit');
    await person.click('checkbox', 'Person deleted');
    // The page follows the journal: once the form is open, it keeps the version that it shows.
    await calls.done('PATCH', `/api/webhooks/${id}`, { events: ['user.updated'] });
    await person.click('button', 'Save');
    await person.sees(/Nothing was changed/);
    expect((await read()).events).toEqual(['user.updated']);
    await person.click('button', 'Show what it is now');
    await person.page.getByRole('checkbox', { name: 'Person changed', checked: true }).waitFor();
    await person.click('checkbox', 'Person deleted');
    await person.click('button', 'Save');
    await person.sees(/was saved/);
    expect((await read()).events).toEqual(['user.updated', 'user.deleted']);
    await person.click('button', 'New secret');
    await person.click('button', 'New secret', person.page.getByRole('dialog'));
    expect(await person.page.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(secret);
    await person.page.keyboard.press('Escape');
    await person.page.keyboard.press('Escape');
    await person.page.getByRole('dialog').waitFor({ state: 'detached' });
    await person.click('button', 'Delete');
    await person.click('button', 'Delete', person.page.getByRole('dialog'));
    await person.sees(/was deleted/);
    expect((await calls.call('GET', `/api/webhooks/${id}`)).status).toBe(404);
    expect(person.page.url()).toContain('#/webhooks');
    expect(person.complaints.filter((text) => !text.includes('412'))).toEqual([]);
  });
});
