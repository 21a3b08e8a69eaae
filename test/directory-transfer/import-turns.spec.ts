import { EventEmitter, once } from 'node:events';
import { testDatabaseIsolation } from '../../src/config/test-environment';
import { Gate } from '../races/gate';
import { describeOnServer } from '../support/describe-on-server';
import { TransferDatabase } from './transfer-database';

describeOnServer('imports at the same time', () => {
  let database: TransferDatabase;

  beforeAll(async () => {
    database = await TransferDatabase.open();
  });
  afterAll(() => database.close());

  it('take turns, so that the second finds what the first has made', async () => {
    await database.import({ workspace: { id: 'atlas', name: 'Atlas' } });
    const gate = await Gate.close(database.url, 'SELECT FROM workspaces WHERE id = $1 FOR UPDATE', ['atlas']);
    const atlas = { workspace: { id: 'atlas', name: 'Atlas' } };
    const first = database.import(atlas, { user: { id: 'ada', email: 'ada@example.com' } });
    await gate.waitFor(1);
    const second = database.import(atlas, { user: { id: 'ada', displayName: 'Ada' } });
    const third = database.refusal({ user: { id: 'eve', email: 'ADA@example.com' } });
    await gate.waitFor(3);
    await gate.open();

    await expect(first).resolves.toMatchObject({ created: { user: 1 } });
    await expect(second).resolves.toMatchObject({ created: { user: 0 }, rowsWritten: 1 });
    await expect(third).resolves.toBe('Line 1: the email "ADA@example.com" belongs to the user "ada"');
  });

  it('hold nothing while they still read', async () => {
    await database.import({ user: { id: 'ben' } });
    const steps = new EventEmitter();
    const reading = once(steps, 'reading');
    const read = once(steps, 'read');
    const slow = async function* () {
      yield '{"user":{"id":"ben","displayName":"Slow"}}';
      steps.emit('reading');
      await read;
    };
    const slowImport = database.importLines(slow());
    await reading;
    await database.import({ user: { id: 'ben', displayName: 'Quick' } });
    steps.emit('read');
    // At SERIALIZABLE it cannot overwrite what it has not seen, and its lines cannot be read twice: it must be started again.
    if (testDatabaseIsolation() === 'serializable') await expect(slowImport).rejects.toThrow('could not serialize');
    else await expect(slowImport).resolves.toMatchObject({ rowsWritten: 1 });
  });
});
