import { ServiceError } from '../../src/contract/errors';
import { WaitingFollowers } from '../../src/journal/waiting-followers';
import { AssignWorkspacesService } from '../../src/users/assign-workspaces.service';
import { ASSIGNED, ask, NOT_PERMITTED, STATUS_UPDATED, UNAUTHENTICATED } from '../support/ask';
import { openApiFile } from '../support/declared-answers';
import { eventually } from '../support/eventually';
import { useTestService } from '../support/test-service';

const SUBJECTS = { administer: 'sync', read: 'reporting' } as const;
const service = useTestService();

beforeEach(async () => {
  const { directory } = service;
  await directory.clear();
  await directory.permission('administer', 'administrator');
  await directory.workspace('atlas');
  await directory.user('ada', { type: 'administrator', permissions: ['administer'] });
  await directory.user('ben');
});

const administers = () => service.tokenOf('sync', { scope: 'users:administer' });
const reads = () => service.tokenOf('reporting', { scope: 'users:read' });

async function call(token: string, method: string, path: string, body?: object, headers: object = {}) {
  const { status, text } = await ask(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return [status, text];
}

/** Cuts both services off, each by an inactive record with its subject, as an administrator makes one. */
async function cutOff(): Promise<void> {
  for (const id of Object.values(SUBJECTS)) {
    const [status] = await call(service.tokenOf('ada'), 'POST', '/api/users', { id, status: 'inactive' });
    expect(status).toBe(201);
  }
}

const REFUSED = [401, UNAUTHENTICATED];
const assignment = { userIds: ['ben'], workspaces: ['atlas'] };

describe('a service whose subject is the id of an inactive record', () => {
  it('is refused by every operation, from the moment at which the record exists until it does not', async () => {
    expect(await call(administers(), 'POST', '/api/users/workspace-assign', assignment)).toEqual([200, ASSIGNED]);
    expect((await call(reads(), 'GET', '/api/users'))[0]).toBe(200);
    await cutOff();
    const operations = Object.entries(openApiFile.paths).flatMap(([path, methods]) =>
      path.startsWith('/api/') ? Object.keys(methods).map((method) => [method.toUpperCase(), path] as const) : [],
    );
    expect(operations.length).toBeGreaterThan(40);
    for (const [method, path] of operations) {
      const at = path.replace(/\{\w+\}/g, 'ben');
      const refused = path.endsWith('/manage-status') ? [401, NOT_PERMITTED] : REFUSED;
      for (const token of [administers(), reads()])
        expect([method, at, await call(token, method, at, method === 'GET' ? undefined : {})]).toEqual([
          method,
          at,
          refused,
        ]);
    }
    expect((await call(service.tokenOf('ada'), 'DELETE', '/api/users/sync'))[0]).toBe(204);
    expect(await call(administers(), 'POST', '/api/users/workspace-assign', assignment)).toEqual([200, ASSIGNED]);
  });

  it('grants nothing by a token in a body, nor by a status token that it made', async () => {
    const [, minted] = await call(administers(), 'POST', '/api/users/status-tokens', { id: 'ben', status: 'inactive' });
    const { token } = JSON.parse(String(minted)) as { token: string };
    await cutOff();
    for (const grant of [administers(), token])
      for (const caller of [service.tokenOf('ada'), administers(), reads()])
        expect(await call(caller, 'POST', '/api/users/manage-status', { id: 'ben', token: grant })).toEqual([
          401,
          NOT_PERMITTED,
        ]);
    const [, ben] = await call(service.tokenOf('ada'), 'GET', '/api/users/ben');
    expect(JSON.parse(String(ben))).toMatchObject({ status: 'active' });
  });

  it('gets no answer that was stored for a retry', async () => {
    const key = { 'idempotency-key': 'once' };
    const status = { id: 'ben', token: service.tokenOf('ada') };
    const both = async () => [
      await call(administers(), 'POST', '/api/users/workspace-assign', assignment, key),
      await call(reads(), 'POST', '/api/users/manage-status', status, key),
    ];
    const answers = [
      [200, ASSIGNED],
      [200, STATUS_UPDATED],
    ];
    expect([await both(), await both()]).toEqual([answers, answers]);
    await cutOff();
    expect(await both()).toEqual([REFUSED, [401, NOT_PERMITTED]]);
  });

  it.each([
    ['administers', administers, SUBJECTS.administer],
    ['reads', reads, SUBJECTS.read],
  ])('and that %s is refused where it has waited for entries of the journal', async (_, tokenOf, subject) => {
    const [, present] = await call(tokenOf(), 'GET', '/api/journal?after=now');
    const { next } = JSON.parse(String(present)) as { next: string };
    const waiting = call(tokenOf(), 'GET', `/api/journal?after=${next}&wait=25&user=${subject}`);
    const followers = service.app.get(WaitingFollowers);
    await eventually(() => expect(followers.waiting).toBe(1), { pauseMs: 1 });
    await cutOff();
    expect(await waiting).toEqual(REFUSED);
  });

  it('is refused inside the transaction of its change', async () => {
    await cutOff();
    const change = service.app
      .get(AssignWorkspacesService)
      .execute({ userIds: ['ben'], workspaces: ['atlas'] }, { actor: { kind: 'service', id: 'sync' } });
    await expect(change).rejects.toThrow(ServiceError);
    await expect(change).rejects.toMatchObject({ code: 'auth.token_invalid' });
    expect((await service.directory.state()).workspaces).toEqual([]);
  });
});
