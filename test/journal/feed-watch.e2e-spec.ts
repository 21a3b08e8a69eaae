import { createDataSource } from '../../src/database/data-source';
import { Statements } from '../../src/database/statements';
import type { FeedPosition } from '../../src/journal/feed-cursor';
import type { FeedPage } from '../../src/journal/feed-page';
import { FeedReader } from '../../src/journal/feed-reader';
import { FeedWatch } from '../../src/journal/feed-watch';
import { RequestsUnderWay } from '../../src/server/requests-under-way';
import { eventually } from '../support/eventually';
import { SeverableDatabase } from '../support/severable-database';
import { FollowTrial } from './follow-trial';

let database: SeverableDatabase;
let trial: FollowTrial;

beforeAll(async () => {
  database = await SeverableDatabase.open();
  trial = await FollowTrial.start(database.address);
});
afterAll(async () => {
  await trial.close();
  await database.close();
});

const reader = () => trial.service.app.get(FeedReader);

interface Wait {
  position: FeedPosition;
  /** A time of `performance.now()`. */
  deadline?: number;
  limit?: number;
  user?: string;
  judges?: Statements;
}

/** Waits for Ada. */
function follow({ position, deadline = Infinity, limit = 1, user, judges }: Wait): Promise<FeedPage> {
  const { app } = trial.service;
  const watch = new FeedWatch(reader(), judges ?? app.get(Statements), app.get(RequestsUnderWay));
  const ada = { kind: 'user', id: 'ada' } as const;
  return watch.wait({ actor: ada, filter: { user }, limit, position, deadline }, new AbortController().signal);
}

const present = () => reader().present();

it('a follower whose authority cannot be judged is told so', async () => {
  const judges = new Statements(createDataSource({ url: 'postgres://127.0.0.1:1/', poolSize: 1 }));
  const told = expect(follow({ position: await present(), judges })).rejects.toThrow('not connected yet');
  await trial.toggle('ben');
  await told;
});

it('a follower waits through an outage that ends in time, and is told of one that does not', async () => {
  const position = await present();
  const looks = jest.spyOn(reader(), 'look');
  const told = follow({ position });
  await database.cut();
  await expect(follow({ position, deadline: 0 })).rejects.toThrow(/connect|terminated/i);
  // The other one has met the outage, too.
  const before = looks.mock.calls.length;
  await eventually(() => expect(looks.mock.calls.length).toBeGreaterThan(before + 1));
  looks.mockRestore();
  await database.mend();
  await eventually(() => trial.toggle('ben'));
  expect((await told).entries).toMatchObject([{ user: 'ben' }]);
});

describe('the page of a follower that has waited says that there is more to read', () => {
  it('if it is full before the last entry that was read', async () => {
    const position = await present();
    await trial.change('user.created', 2);
    expect(await follow({ position })).toMatchObject({ entries: [{ user: 'user-1' }], more: true });
    expect(await follow({ position, limit: 2 })).toMatchObject({ entries: [{}, {}], more: false });
  });

  it('if not all changes have been read', async () => {
    const position = await present();
    await trial.toggle('ben');
    await trial.changes('user.type.changed', 2_000);
    expect(await follow({ position, limit: 2, user: 'ben' })).toMatchObject({ entries: [{ user: 'ben' }], more: true });
  });
});
