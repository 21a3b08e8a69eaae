import { ActiveUsers } from '../../src/active-users/active-users.ts';
import { UserAdministrationClient } from '../../src/user-administration-client.ts';
import { FollowedService } from '../support/followed-service.ts';
import { until } from '../support/until.ts';

let service: FollowedService;
let users: ActiveUsers;
const failures: string[] = [];
const now = performance.now.bind(performance);

/** Lets time pass that no timer knows of. */
function pass(ms: number): void {
  passed += ms;
}
let passed = 0;

beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
});

async function follow(known: Record<string, 'active' | 'inactive'>, prepare?: () => void): Promise<void> {
  service = await FollowedService.start(known);
  prepare?.();
  const client = new UserAdministrationClient({ baseUrl: service.url, token: 'token' });
  users = new ActiveUsers(client, { silentAfterMs: 3_000, onFailure: ({ code }) => failures.push(code) });
  users.start();
  await users.ready(10_000);
}

afterEach(async () => {
  users.stop();
  await service.kill();
  failures.splice(0);
});

const verdicts = (...ids: string[]) => ids.map((id) => users.verdict(id));

describe('who is active', () => {
  it('is known from the start, by the ids of the inactive alone', async () => {
    await follow({ ada: 'active', ben: 'inactive', cyd: 'inactive' });
    expect(verdicts('ada', 'ben', 'cyd', 'a-service')).toEqual(['active', 'refused', 'refused', 'active']);
    expect(users.size).toBe(2);
  });

  it('is nothing that anybody knows before', async () => {
    service = await FollowedService.start({});
    users = new ActiveUsers(new UserAdministrationClient({ baseUrl: service.url, token: 'token' }));
    expect(users.verdict('ada')).toBe('unknown');
    expect(await users.ready(1)).toBe(false);
  });

  it('follows the journal: deactivated, activated, deleted, made again', async () => {
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

  it('is told of a deactivation by the request that waits for it', async () => {
    await follow({ ada: 'active' });
    const waits = () => service.asked.filter((path) => path.includes('wait=1')).length;
    await until(() => waits() === 1);
    service.set('ada', 'inactive');
    expect(waits()).toBe(1);
    await until(() => users.verdict('ada') === 'refused');
  });

  it('does not take for a status what is none', async () => {
    await follow({ ada: 'active', ben: 'inactive' });
    service.tell({ action: 'user.status_token.minted', user: 'ada', before: null, after: { status: 'inactive' } });
    service.tell({ action: 'user.status_token.minted', user: 'ben', before: null, after: { status: 'active' } });
    service.tell({ action: 'user.updated', user: 'ben', before: { email: 'a@b' }, after: { email: 'c@d' } });
    service.set('cyd', 'inactive');
    await until(() => users.verdict('cyd') === 'refused');
    expect(verdicts('ada', 'ben')).toEqual(['active', 'refused']);
  });

  it('knows who was deleted before it began, unless they were made again', async () => {
    await follow({ ada: 'active' }, () => {
      for (const id of ['ben', 'cyd']) service.delete(id);
      service.create('cyd');
    });
    expect(verdicts('ada', 'ben', 'cyd')).toEqual(['active', 'refused', 'active']);
  });

  it('begins with what happened while it read the list', async () => {
    service = await FollowedService.start({ ada: 'active' });
    const client = new UserAdministrationClient({
      baseUrl: service.url,
      token: 'token',
      // Whoever is deactivated when the list has just been read is on no list.
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

  it('is not known until everything has been read that is waiting to be', async () => {
    service = await FollowedService.start({});
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

describe('when the service is out of reach', () => {
  it('nothing is known once it has been silent for too long, and all of it again when it is back', async () => {
    await follow({ ada: 'active', ben: 'active' });
    await service.kill();
    expect(users.verdict('ada')).toBe('active');
    pass(3_000);
    expect(users.verdict('ada')).toBe('unknown');
    service.set('ada', 'inactive');
    await service.listen();
    await until(() => users.verdict('ben') === 'active');
    expect(users.verdict('ada')).toBe('refused');
    // It went on where it was, and did not read the list again.
    expect(service.asked.filter((path) => path.includes('status=inactive'))).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('silence without an end of the connection is noticed as well', async () => {
    await follow({ ada: 'active' });
    service.silent = true;
    pass(3_000);
    expect(users.verdict('ada')).toBe('unknown');
    const before = service.asked.length;
    // Nothing answers, so the attempt must end by itself for another to be made.
    await until(() => service.asked.length > before + 1);
    service.silent = false;
    await until(() => users.verdict('ada') === 'active');
  }, 30_000);

  it('it begins anew when it is refused, and tells of it', async () => {
    await follow({ ada: 'active' });
    service.locked = true;
    await until(() => failures.length > 1);
    service.locked = false;
    service.set('ada', 'inactive');
    await until(() => users.verdict('ada') === 'refused');
    expect(new Set(failures)).toEqual(new Set(['auth.token_invalid']));
  }, 20_000);

  it('an answer that tells nothing is news, too', async () => {
    await follow({ ada: 'active' });
    for (let round = 0; round < 2; round++) {
      pass(3_000);
      expect(users.isCurrent).toBe(false);
      await until(() => users.isCurrent);
    }
  });
});
