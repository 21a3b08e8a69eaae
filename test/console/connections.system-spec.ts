import { type Browser, chromium } from 'playwright-core';
import type { ScimConnectionDto, ScimConnectionPageDto } from '../../src/plugins/scim/dto/scim-connection.dto';
import { CHROMIUM, describeInBrowser } from '../browser/describe-in-browser';
import type { TestService } from '../support/test-service';
import { Administrator, startDemoService } from './administrator';
import { Calls } from './calls';
import { until } from './until';

describeInBrowser('the connections on the page of administrators', () => {
  let service: TestService;
  let browser: Browser;
  let calls: Calls;
  let person: Administrator;

  beforeAll(async () => {
    service = await startDemoService();
    calls = new Calls(service);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(() => person.close());

  const open = async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    person = await Administrator.at(browser, service, { address: '#/connections', permissions });
  };

  /** The first of three steps. */
  const begin = async (provider: string) => {
    await person.click('button', 'New connection');
    await person.sees('Step 1 of 3');
    await person.click('button', provider, person.page.getByRole('dialog'));
  };
  const connections = async () =>
    (await calls.done<ScimConnectionPageDto>('GET', '/api/scim-connections')).connections.map(({ name }) => name);
  const make = (name: string) =>
    calls.done<ScimConnectionDto>('POST', '/api/scim-connections', { name, workspace: 'atlas' });
  /** The status of a call with a token of a connection. */
  const statusWith = async (token: string) => (await calls.call('GET', '/scim/v2/Users', undefined, token)).status;
  const card = (name: string) => person.page.getByRole('article', { name, exact: true });

  it('show the token and the address of a new one once, and ask before it is lost', async () => {
    await open();
    const { page } = person;
    await begin('Another one');
    await person.click('option', /^Borealis/);
    await person.type('Name', '<b>Okta</b>');
    await person.click('button', 'Create connection');
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(await page.getByLabel('Base URL', { exact: true }).inputValue()).toBe(`${service.url}/scim/v2`);
    await card('<b>Okta</b>').getByText('not heard yet').waitFor();
    expect(await statusWith(token)).toBe(200);
    expect(await calls.done('GET', '/api/scim-connections')).toMatchObject({
      connections: [
        { name: 'Keycloak' },
        { name: '<b>Okta</b>', workspace: 'borealis', idFrom: 'externalId', mayGrantAdministrator: false },
      ],
    });
    await page.keyboard.press('Escape');
    await person.sees(/not copied it yet/);
    await person.click('button', /^Copy: .?Token/);
    await page.getByText('Copied', { exact: true }).first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    await card('<b>Okta</b>').getByRole('link', { name: 'Borealis' }).waitFor();
    await page.reload();
    await card('<b>Okta</b>')
      .getByText(/^last heard/)
      .waitFor();
    expect(await person.barriers()).toEqual([]);
    expect(person.complaints).toEqual([]);
  });

  it.each([
    ['Okta', 'Base URL', 'OAuth Bearer Token', 'JWT_USER_CLAIM=uid'],
    ['Entra ID', 'Tenant URL', 'Secret token', 'Map externalId from objectId'],
    ['Keycloak', 'SCIM 2.0 endpoint', 'Auth password/token', 'use PATCH for groups'],
  ])('are made in three steps: %s', async (provider, address, secret, matters) => {
    await open();
    await begin(provider);
    const dialog = person.page.getByRole('dialog');
    await person.sees('Step 2 of 3', dialog);
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe(provider);
    await person.click('option', /^Cosmos/);
    await person.click('button', 'Create connection');
    await person.sees('Step 3 of 3', dialog);
    expect(await dialog.getByLabel(address, { exact: true }).inputValue()).toBe(`${service.url}/scim/v2`);
    expect(await statusWith(await dialog.getByLabel(secret, { exact: true }).inputValue())).toBe(200);
    await person.sees(matters, dialog);
    await dialog.getByRole('link', { name: new RegExp(`Guide for .?${provider}`) }).waitFor();
    expect(await person.barriers()).toEqual([]);
    expect(person.complaints).toEqual([]);
  });

  it('whose token was lost are told, with a way to a new one', async () => {
    await open();
    const { page } = person;
    await begin('Okta');
    await person.click('option', /^Atlas/);
    await person.type('Name', 'Lost');
    await page.route('**/api/scim-connections', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await route.fetch();
      await route.fulfill({ status: 500, body: 'A proxy has lost the answer.' });
    });
    await person.click('button', 'Create connection');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Try again' }).waitFor();
    await person.click('button', 'Close', dialog.locator('footer'));
    await person.sees(/^.?Lost.? was made, but its token did not arrive/);
    expect(await person.barriers()).toEqual([]);
    await person.click('button', 'New token', page.locator('.notice'));
    await person.click('radio', 'not at all');
    await person.click('button', 'New token', dialog);
    expect(await statusWith(await page.getByLabel('Token', { exact: true }).inputValue())).toBe(200);
    expect((await connections()).filter((name) => name === 'Lost')).toHaveLength(1);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(person.complaints.filter((text) => !text.includes('500'))).toEqual([]);
  });

  it('tell what is wrong at its field', async () => {
    await open();
    await begin('Entra ID');
    await person.click('option', /^Atlas/);
    await person.type('Name', 'x'.repeat(256));
    await person.click('button', 'Create connection');
    await person.sees(/valid value for name/);
    expect(await person.page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
    expect(await connections()).not.toContain('x'.repeat(256));
    // The browser itself tells of the answer 400.
    expect(person.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('change one as it was shown, and tell when it is not that any more', async () => {
    const { id } = await make('Entra');
    await open();
    await person.click('button', 'Edit', card('Entra'));
    await person.type('Name', 'mine');
    await calls.done('PATCH', `/api/scim-connections/${id}`, { name: 'theirs' });
    await person.click('button', 'Save');
    await person.sees(/Nothing was changed/);
    expect(await connections()).toContain('theirs');
    await person.click('button', 'Show what it is now');
    await until(person.page, `document.querySelector('dialog input[required]')?.value === 'theirs'`);
    await person.type('Name', 'Entra ID');
    await person.click('button', 'Save');
    await card('Entra ID').waitFor();
    expect(await connections()).toContain('Entra ID');
    expect(person.complaints.filter((text) => !text.includes('412'))).toEqual([]);
  });

  it('make a new token, with or without an overlap', async () => {
    const { token: old } = await calls.done<{ token: string }>('POST', '/api/scim-connections', {
      name: 'Rotating',
      workspace: 'atlas',
    });
    await open();
    const renew = async (overlap: string) => {
      await person.click('button', 'New token', card('Rotating'));
      await person.click('radio', overlap);
      await person.click('button', 'New token', person.page.getByRole('dialog'));
      const token = await person.page.getByLabel('Token', { exact: true }).inputValue();
      await person.click('button', 'Close', person.page.locator('footer'));
      await person.click('button', 'Close anyway');
      return token;
    };
    const second = await renew('for 1 hour');
    expect([await statusWith(old), await statusWith(second)]).toEqual([200, 200]);
    const third = await renew('not at all');
    expect([await statusWith(second), await statusWith(third)]).toEqual([401, 200]);
    expect(person.complaints).toEqual([]);
  });

  it('are named before the workspace is deleted with which they end', async () => {
    await calls.done('POST', '/api/workspaces', { id: 'passing', name: 'Passing' });
    await calls.done('POST', '/api/scim-connections', { name: '<b>Passing</b>', workspace: 'passing' });
    person = await Administrator.at(browser, service, { address: '#/workspaces/passing' });
    await person.click('button', 'Delete');
    const dialog = person.page.getByRole('dialog');
    await person.sees(/^The connection .?<b>Passing<.b>.? ends: its identity provider loses access at once$/, dialog);
    await person.type(/^To confirm/, 'Passing');
    await person.click('button', 'Delete', dialog);
    await person.sees(/Passing.* was deleted/);
    expect(await connections()).not.toContain('<b>Passing</b>');
    expect(person.complaints).toEqual([]);
  });

  it('delete one whose name was typed', async () => {
    // A page shows two blanks as one.
    await make('Very  doomed');
    await open();
    await person.click('button', 'Delete', card('Very doomed'));
    const dialog = person.page.getByRole('dialog');
    await person.type(/^To confirm/, 'Very doome');
    await person.sees('This does not match yet.', dialog);
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await person.type(/^To confirm/, 'Very doomed');
    await person.click('button', 'Delete', dialog);
    await person.sees(/Very +doomed.* was deleted/);
    expect(await connections()).not.toContain('Very  doomed');
    expect(person.complaints).toEqual([]);
  });
});
