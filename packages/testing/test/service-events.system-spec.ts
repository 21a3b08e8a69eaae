import { Emulator } from '../src/emulator';
import { EventFeed } from '../src/event-feed';
import { withClient } from '../src/with-client';
import { Gate } from '../../../test/races/gate';
import { testDatabaseUrl } from '../../../test/setup/test-environment';
import { describeOnServer } from '../../../test/support/describe-on-server';

/** Appends an event about a user to the journal. */
const APPEND = `SELECT journal_append_changes('system', 'test', NULL, NULL, NULL, NULL, ARRAY[
  ROW('user.status.changed', ARRAY[$1], NULL, NULL, NULL)::journal_new_change])`;

describeOnServer('the events of a service on a server', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await Emulator.start({ databaseUrl: testDatabaseUrl() });
  });
  afterAll(() => emulator.close());

  it('include what is committed after a later event has been read', async () => {
    const append = (user: string) => withClient(emulator.databaseUrl, (client) => client.query(APPEND, [user]));
    const found: (string | undefined)[] = [];
    const slow = await Gate.close(emulator.databaseUrl, APPEND, ['slow']);
    await append('fast');
    const feed = new EventFeed(
      (after, wait) => emulator.events(after, wait),
      (type) => emulator.firstEvent(type),
    );
    for await (const { subject } of feed) {
      found.push(subject);
      if (found.length === 1) {
        await slow.commit();
        await append('last');
      }
      if (subject === 'last') break;
    }
    expect(found).toEqual(['fast', 'slow', 'last']);
  });
});
