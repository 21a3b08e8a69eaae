import { ActiveUsersFollower } from '../../src/nest/active-users.follower.ts';
import { UserAdministrationClient } from '../../src/user-administration-client.ts';
import { hang, message, problem, reply, ScriptedServer } from '../support/scripted-server.ts';
import { until } from '../support/until.ts';

let server: ScriptedServer;
afterEach(() => server.close());

it('does not admit a user by the answer to an earlier question', async () => {
  let answerFirst = () => {};
  server = await ScriptedServer.start(
    (_request, socket) => (answerFirst = () => socket.write(message(200, { id: 'ada', status: 'active' }))),
    reply(200, { id: 'ada', status: 'inactive' }),
    hang,
  );
  const client = new UserAdministrationClient({ baseUrl: server.url, token: 'token' });
  // It was not started, so it knows nothing and asks.
  const follower = new ActiveUsersFollower(client, { whenSilent: 'ask' });

  const before = follower.admission('ada');
  await until(() => server.requests.length === 1);
  // The user is deactivated now: the answer that is under way is out of date.
  const after = follower.admission('ada');
  answerFirst();

  expect([await before, await after]).toEqual(['active', 'refused']);
});

it.each([
  ['user.unknown', 'refused'],
  ['route.unknown', 'unknown'],
])('takes a 404 %s for a user that is %s', async (code, admission) => {
  server = await ScriptedServer.start(problem(404, code));
  const client = new UserAdministrationClient({ baseUrl: server.url, token: 'token' });
  const follower = new ActiveUsersFollower(client, { whenSilent: 'ask' });
  expect(await follower.admission('ada')).toBe(admission);
});

it('follows as soon as a guard is made, also after the start of the app', async () => {
  server = await ScriptedServer.start(hang);
  const follower = new ActiveUsersFollower(new UserAdministrationClient({ baseUrl: server.url, token: 'token' }));
  await follower.onModuleInit();
  follower.use();
  await until(() => server.requests.length === 1);
  follower.onApplicationShutdown();
});
