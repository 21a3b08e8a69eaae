import { useDemoService } from '../support/demo-service';
import { openApiFile } from '../support/declared-answers';
import { SavedDatabase } from '../support/saved-database';
import { Administrator } from './administrator';
import { describeInBrowser, useBrowser } from './describe-in-browser';

const operations = Object.values(openApiFile.paths).flatMap((methods) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ operationId, changes: method !== 'get' })),
);

describeInBrowser('on the page of Swagger UI', () => {
  const service = useDemoService();
  const browser = useBrowser();
  let demo: SavedDatabase;
  let person: Administrator;

  beforeAll(async () => {
    demo = await SavedDatabase.save(service.dataSource);
    person = await Administrator.at(browser, `${service.url}/api/docs#token=${service.tokenOf('ada')}`);
    await person.page.locator('.session', { hasText: 'Signed in as ada' }).waitFor();
  });
  afterAll(() => person.close());

  /** Opens an operation, executes it with the values that are there, and closes it. */
  async function execute(operationId: string): Promise<string> {
    const { page } = person;
    const block = page.locator(`[id^="operations-"][id$="-${operationId}"]`);
    const press = (button: string) => block.locator(button).dispatchEvent('click');
    await press('.opblock-summary-control');
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.request().resourceType() === 'fetch'),
      // With a mouse, which waits until the operation has its form.
      block.locator('.execute').click(),
    ]);
    await press('.opblock-summary-control');
    return `${response.status()} ${await response.text()}`;
  }

  it('every operation is offered', async () => {
    expect(await person.page.locator('.opblock').count()).toBe(operations.length);
    expect(operations.length).toBeGreaterThanOrEqual(49);
  });

  it.each(operations)('$operationId works with the values that the page offers', async ({ operationId, changes }) => {
    try {
      expect(await execute(operationId)).toMatch(/^20[014] /);
    } finally {
      // As if the demo were started anew.
      if (changes) await demo.restore();
    }
  });
});
