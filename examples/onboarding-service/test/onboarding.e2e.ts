import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startUserAdministration, type UserAdministration } from '@user-administration/testing';
import { AppModule } from '../src/app.module';

process.env.JWT_SECRET = 'the secret that both services know in this test';
const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
let users: UserAdministration;
let app: INestApplication;
const ask = async (path: string, user: string, body?: object) =>
  fetch((await app.getUrl()) + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${users.tokenFor(user)}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });

before(async () => {
  users = await startUserAdministration({ env: { JWT_SECRET: process.env.JWT_SECRET } });
  const readToken = () => users.tokenFor('onboarding', { scope: 'users:read' });
  const settings = { baseUrl: users.url, readToken, changeToken: users.serviceToken, webhookSecret };
  app = await NestFactory.create(AppModule.register(settings), { logger: ['error'] });
  await app.listen(0, '127.0.0.1');
  await users.deliverTo(`${await app.getUrl()}/hooks/users`, webhookSecret);
});
after(async () => {
  await app.close();
  await users.close();
});

test('new starters get their first workspace', async () => {
  assert.equal((await ask('/starters', 'ada', { userIds: ['dee'] })).status, 204);
  const [event] = await users.events.all();
  assert.deepEqual(
    [event?.type, event?.subject, event?.data.workspaces],
    ['user.workspaces.assigned', 'dee', ['atlas']],
  );
});

test('who is deactivated is refused at once, and said goodbye to', async () => {
  assert.equal((await ask('/me', 'ben')).status, 200);
  await users.client.users.assignStatus({ userIds: ['ben'], status: 'inactive' });
  while ((await ask('/me', 'ben')).status === 200);
  while (!(await (await ask('/farewells', 'ada')).text()).includes('ben'));
});

test('a short outage of the service goes unnoticed', async () => {
  await users.failNext({ status: 503 });
  assert.equal((await ask('/starters', 'ada', { userIds: ['cyd'] })).status, 204);
});
