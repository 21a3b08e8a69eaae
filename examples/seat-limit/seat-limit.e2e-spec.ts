import { PLUGINS } from '@user-administration/service';
import { useTestService } from '../../test/support/test-service';
import { SEAT_LIMIT } from './seat-limit.plugin';

const service = useTestService({ plugins: [...PLUGINS, SEAT_LIMIT] });

const send = (method: string, path: string, body: object, language = 'en') =>
  fetch(service.url + path, {
    method,
    headers: {
      authorization: `Bearer ${service.serviceToken()}`,
      'content-type': 'application/json',
      'accept-language': language,
    },
    body: JSON.stringify(body),
  });
const assign = (user: string, language?: string) =>
  send('POST', '/api/users/workspace-assign', { userIds: [user], workspaces: ['atlas'] }, language);

it('gives the last seat of a workspace to one of several who come at once', async () => {
  await service.directory.workspace('atlas');
  const users = ['ben', 'cyd', 'dee', 'eve'];
  for (const user of users) await service.directory.user(user);
  expect((await send('PUT', '/api/seat-limits/atlas', { seats: 1 })).status).toBe(204);
  const answers = await Promise.all(users.map((user) => assign(user, 'de')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const message = 'Im Arbeitsbereich atlas ist kein Platz mehr frei: Er hat 1.';
  expect(await answers.find(({ ok }) => !ok)?.json()).toEqual({ status: 409, message });
});
