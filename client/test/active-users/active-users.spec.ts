import { ActiveUsers } from '../../src/active-users/active-users.ts';
import { UserAdministrationClient } from '../../src/user-administration-client.ts';
import { FollowedService } from '../support/followed-service.ts';
import { until } from '../support/until.ts';

let service: FollowedService;
let users: ActiveUsers;
const failures: string[] = [];
const now = performance.now.bind(performance);

/** Advances performance.now() without advancing timers. */
function pass(ms: number): void {
  passed += ms;
}
let passed = 0;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
});

async function follow(known: Record<string, 'active' | 'inactive'>, prepare?: () => void): Promise<void> {
  service = await FollowedService.start(known);
  const client = new UserAdministrationClient({ baseUrl: service.url, token: 'token' });
  users = new ActiveUsers(client, { silentAfterMs: 3_000, onFailure: ({ code }) => failures.push(code) });
  prepare?.();
  users.start();
  await users.ready(10_000);
}

afterEach(async () => {
  users.stop();
  await service.kill();
  failures.splice(0);
});

const verdicts = (...ids: string[]) => ids.map((id) => users.verdict(id));

describe('ActiveUsers', () => {
  it('loads only the ids of inactive users', async () => {
    await follow({ ada: 'active', ben: 'inactive', cyd: 'inactive' });
    expect(verdicts('ada', 'ben', 'cyd', 'a-service')).toEqual(['active', 'refused', 'refused', 'active']);
    expect(users.size).toBe(2);
  });

  it('answers unknown before the first load', async () => {
    service = await FollowedService.start({});
    users = new ActiveUsers(new UserAdministrationClient({ baseUrl: service.url, token: 'token' }));
    expect(users.verdict('ada')).toBe('unknown');
    expect(await users.ready(1)).toBe(false);
  });

  it('follows the journal: deactivated, activated, deleted, created again', async () => {
    await follow({ ada: 'active', ben: 'inactive', cyd: 'active', dee: 'active' });
    service.set('ada', 'inactive');
    service.set('ben', 'active');
    service.delete('cyd');
    service.delete('dee');
    service.create('dee');
    service.tell({ action: 'user.created', user: 'eve', before: null, after: { status: 'inactive' } });
    await until(() => users.verdict('eve') === 'refused');
    expect(verdicts('ada', 'ben', 'cyd', 'dee')).toEqual(['refused', 'active', 'refused', 'active']);
    expect(users.size).toBe(3);
  });

  it('learns of a deactivation from the pending request', async () => {
    await follow({ ada: 'active' });
    const waits = () => service.asked.filter((path) => path.includes('wait=1')).length;
    await until(() => waits() === 1);
    service.set('ada', 'inactive');
    expect(waits()).toBe(1);
    await until(() => users.verdict('ada') === 'refused');
  });

  it('obeys the statuses of users whose changes the journal does not tell yet', async () => {
    await follow({ ada: 'active', ben: 'inactive' }, () => {
      service.unsealed.set('ada', 'inactive').set('ben', 'active');
    });
    expect(verdicts('ada', 'ben')).toEqual(['refused', 'active']);
    // They are sealed, and the journal tells them.
    service.unsealed.clear();
    service.set('ada', 'inactive');
    service.set('ben', 'active');
    await until(() => service.asked.some((path) => path.includes('after=2')));
    expect(verdicts('ada', 'ben')).toEqual(['refused', 'active']);
    service.set('ada', 'active');
    await until(() => users.verdict('ada') === 'active');
  });

  it('ignores entries that do not change the status', async () => {
    await follow({ ada: 'active', ben: 'inactive' });
    service.tell({ action: 'user.status_token.minted', user: 'ada', before: null, after: { status: 'inactive' } });
    service.tell({ action: 'user.status_token.minted', user: 'ben', before: null, after: { status: 'active' } });
    service.tell({ action: 'user.updated', user: 'ben', before: { email: 'a@b' }, after: { email: 'c@d' } });
    service.set('cyd', 'inactive');
    await until(() => users.verdict('cyd') === 'refused');
    expect(verdicts('ada', 'ben')).toEqual(['active', 'refused']);
  });

  it('follows users to their new ids', async () => {
    await follow({ ada: 'active', ben: 'inactive' });
    service.delete('ada-2');
    service.rename('ada', 'ada-2');
    service.rename('ben', 'ben-2');
    service.create('ben');
    service.set('end', 'inactive');
    await until(() => users.verdict('end') === 'refused');
    expect(verdicts('ada', 'ada-2', 'ben', 'ben-2')).toEqual(['refused', 'active', 'active', 'refused']);
  });

  it('refuses the ids that users had before it started, unless somebody has got them', async () => {
    await follow({ ada: 'active', ben: 'inactive' }, () => {
      service.rename('ada', 'ada-2');
      service.rename('ben', 'ben-2');
      service.create('ben');
    });
    expect(verdicts('ada', 'ada-2', 'ben', 'ben-2')).toEqual(['refused', 'active', 'active', 'refused']);
  });

  it('refuses users that were deleted before it started, unless they were created again', async () => {
    await follow({ ada: 'active' }, () => {
      for (const id of ['ben', 'cyd']) service.delete(id);
      service.create('cyd');
    });
    expect(verdicts('ada', 'ben', 'cyd')).toEqual(['active', 'refused', 'active']);
  });

  it('refuses deleted users, however long their ids are', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `${n}`.padEnd(255, '用'));
    await follow({}, () => ids.forEach((id) => service.delete(id)));
    expect(failures).toEqual([]);
    expect(new Set(verdicts(...ids))).toEqual(new Set(['refused']));
  });

  it('admits all of many users that were created again', async () => {
    await follow({}, () => {
      for (let n = 0; n <= 100; n++) {
        service.delete(`u${n}`);
        service.create(`u${n}`);
      }
    });
    expect([users.isCurrent, users.size]).toEqual([true, 0]);
  });

  it('follows once, even if it is started twice', async () => {
    await follow({}, () => users.start());
    expect(service.asked.filter((path) => path.includes('after=now'))).toHaveLength(1);
  });

  it('misses no change that is made while it reads the list', async () => {
    service = await FollowedService.start({ ada: 'active' });
    const client = new UserAdministrationClient({
      baseUrl: service.url,
      token: 'token',
      // Deactivates a user right after the list was read.
      hooks: {
        attemptEnded: ({ url }) => {
          if (url.includes('status=inactive')) service.set('ada', 'inactive');
        },
      },
    });
    users = new ActiveUsers(client);
    users.start();
    await users.ready(10_000);
    expect(users.verdict('ada')).toBe('refused');
  });

  it('is not ready before it has read all pages of the backlog', async () => {
    service = await FollowedService.start({});
    service.page = 200;
    const client = new UserAdministrationClient({
      baseUrl: service.url,
      token: 'token',
      hooks: {
        attemptEnded: ({ url }) => {
          if (!url.includes('status=inactive')) return;
          for (let n = 0; n < 450; n++) service.set('ada', n % 2 === 0 ? 'active' : 'inactive');
        },
      },
    });
    users = new ActiveUsers(client);
    users.start();
    await users.ready(10_000);
    expect(users.verdict('ada')).toBe('refused');
    expect(service.asked.filter((path) => /after=(0|200|400)&/.test(path))).toHaveLength(3);
  });
});

describe('an application that was stopped for long', () => {
  /** Follows while this many entries are appended at once, and returns how often it asked for pages of them and loaded. */
  async function catchUp(entries: number, inactive: number) {
    await follow(Object.fromEntries(Array.from({ length: inactive }, (_, n) => [`user-${n}`, 'inactive'] as const)));
    service.page = 1_000;
    const loads = () => service.asked.filter((path) => path.includes('status=inactive')).length;
    const [asked, loaded] = [service.asked.length, loads()];
    for (let n = 1; n < entries; n++)
      service.entries.push({ action: 'user.created', user: 'ada', before: null, after: {} });
    service.set('ada', 'inactive');
    await until(() => users.verdict('ada') === 'refused');
    return { loaded: loads() - loaded, asked: service.asked.length - asked };
  }

  it('loads anew if that takes fewer requests than the entries', async () => {
    const { loaded, asked } = await catchUp(100_000, 2);
    expect(loaded).toBe(1);
    expect(asked).toBeLessThan(12);
    expect(failures).toEqual([]);
  });

  it('reads on if it would have to load many users', async () => {
    expect(await catchUp(20_000, 4_000)).toMatchObject({ loaded: 0 });
  });
});

describe('an answer that is long under way', () => {
  it('is as old as its request', async () => {
    service = await FollowedService.start({ ada: 'active' });
    const known: boolean[] = [];
    const client = new UserAdministrationClient({
      baseUrl: service.url,
      token: 'token',
      fetch: async (input, init) => {
        const waits = String(input).includes('wait=1');
        if (waits && known.push(users.isCurrent) === 1) service.set('ben', 'inactive');
        const answer = await fetch(input, init);
        if (waits && known.length === 1) pass(3_000);
        return answer;
      },
    });
    users = new ActiveUsers(client, { silentAfterMs: 3_000 });
    users.start();
    await until(() => known.length > 1);
    expect(known.slice(0, 2)).toEqual([true, false]);
  });

  it.each([
    [3_000, 1],
    [5_000, 1],
    [10_000, 4],
  ])('still leaves time for one lost answer: %i ms', async (silentAfterMs, wait) => {
    service = await FollowedService.start({});
    const client = new UserAdministrationClient({ baseUrl: service.url, token: 'token' });
    const follow = jest.spyOn(client.journal, 'follow');
    users = new ActiveUsers(client, { silentAfterMs });
    users.start();
    await users.ready(10_000);
    const [filter, { timeoutMs = NaN } = {}] = follow.mock.calls[0] ?? [];
    expect(filter?.wait).toBe(wait);
    // A request, its wait, and a second request whose answer is lost.
    expect(wait * 1_000 + timeoutMs).toBeLessThan(silentAfterMs);
  });
});

describe('a change of many users that does not concern ActiveUsers', () => {
  const OWN = 'action=user.created&action=user.deleted&action=user.renamed&action=user.status.changed';

  it('is left out of what it reads', async () => {
    await follow({ ada: 'active' });
    for (let n = 0; n < 1_000; n++) service.tell({ action: 'user.type.changed', user: `u${n}`, before: {}, after: {} });
    service.set('ada', 'inactive');
    await until(() => users.verdict('ada') === 'refused');
    const feed = service.asked.filter((path) => path.includes('after=') && !path.includes('after=now'));
    expect(feed.filter((path) => !path.includes(OWN) || !path.includes('brief=true'))).toEqual([]);
    expect(service.asked.filter((path) => path.includes('journal?action=user.deleted'))).toEqual([
      '/api/journal?action=user.deleted&action=user.renamed&limit=10000&brief=true&statuses=true',
    ]);
  });

  it('does not make it current before it has read what comes after', async () => {
    service = await FollowedService.start({ ada: 'active' });
    const client = new UserAdministrationClient({
      baseUrl: service.url,
      token: 'token',
      hooks: {
        attemptEnded: ({ url }) => {
          if (!url.includes('status=inactive')) return;
          for (let n = 0; n < 450; n++) service.tell({ action: 'user.updated', user: 'ben', before: {}, after: {} });
          service.set('ada', 'inactive');
        },
      },
    });
    users = new ActiveUsers(client);
    users.start();
    await users.ready(10_000);
    expect(users.verdict('ada')).toBe('refused');
  });
});

describe('when the service cannot be reached, ActiveUsers', () => {
  it('answers unknown after silentAfterMs, and continues when the service is back', async () => {
    await follow({ ada: 'active', ben: 'active' });
    await service.kill();
    expect(users.verdict('ada')).toBe('active');
    pass(3_000);
    expect(users.verdict('ada')).toBe('unknown');
    service.set('ada', 'inactive');
    await service.listen();
    await until(() => users.verdict('ben') === 'active');
    expect(users.verdict('ada')).toBe('refused');
    // It continued from its cursor, and did not read the list again.
    expect(service.asked.filter((path) => path.includes('status=inactive'))).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('notices a connection that stays open without an answer', async () => {
    await follow({ ada: 'active' });
    service.silent = true;
    pass(3_000);
    expect(users.verdict('ada')).toBe('unknown');
    const before = service.asked.length;
    // Without an answer, the attempt must time out before the next one can start.
    await until(() => service.asked.length > before + 1);
    service.silent = false;
    await until(() => users.verdict('ada') === 'active');
  }, 30_000);

  it('reports a refused token, and starts again', async () => {
    await follow({ ada: 'active' });
    service.locked = true;
    await until(() => failures.length > 1);
    service.locked = false;
    service.set('ada', 'inactive');
    await until(() => users.verdict('ada') === 'refused');
    expect(new Set(failures)).toEqual(new Set(['auth.token_invalid']));
  }, 20_000);

  it('loads anew from a service that has lost what it had told, as after a failover', async () => {
    await follow({ ada: 'active', ben: 'active' });
    service.setAfterLoss('ada', 'inactive');
    await until(() => users.verdict('ada') === 'refused');
    expect(users.verdict('ben')).toBe('active');
    expect(failures).toEqual(['journal.other']);
  });

  it('reports an entry without a user, and is not current', async () => {
    await follow({ ada: 'active' });
    service.tell({ action: 'user.deleted', user: undefined, before: {}, after: null });
    await until(() => failures.length > 0);
    expect(failures[0]).toBe('client.unexpected_answer');
  });

  it('counts an empty page as an answer', async () => {
    await follow({ ada: 'active' });
    for (let round = 0; round < 2; round++) {
      pass(3_000);
      expect(users.isCurrent).toBe(false);
      await until(() => users.isCurrent);
    }
  });
});
