import { importDirectory } from '../../src/plugins/transfer/import-directory';
import { UserTypeRule } from '../../src/users/user-type/user-type-rule';
import { UserTypeService } from '../../src/users/user-type/user-type.service';
import { Gate } from '../races/gate';
import { ask, assign } from '../support/ask';
import { describeOnServer } from '../support/describe-on-server';
import { newestEntries } from '../support/sealed';
import { useTestDatabase } from '../support/test-database';
import { startTestService, type TestService } from '../support/test-service';

class StaffRule extends UserTypeRule {
  override readonly query = `SELECT key, (CASE WHEN id LIKE 'staff-%' THEN 'manager' ELSE 'guest' END)::user_type AS type
    FROM users WHERE key = ANY ($1)`;
}

const ANOTHER =
  'The user types in this directory follow another rule than that of this program. Run a program that has their rule, or set ' +
  'USER_TYPE_RULE_TAKE_OVER=true to derive all types anew by the rule of this one. Nothing was changed.';
const ACT = { actor: { kind: 'system', id: 'test' } } as const;
const TAKE_OVER = { USER_TYPE_RULE_TAKE_OVER: 'true' };

describe('a directory', () => {
  const database = useTestDatabase();
  const running: TestService[] = [];

  const start = async (
    userTypeRule?: typeof UserTypeRule,
    environment: Record<string, string> = {},
  ): Promise<TestService> => {
    const service = await startTestService({ database, environment, ...(userTypeRule && { userTypeRule }) });
    running.push(service);
    return service;
  };
  const stop = async () => {
    for (const service of running.splice(0)) await service.close();
  };
  const types = async ({ directory }: TestService) =>
    Promise.all(['staff-ben', 'cyd'].map((id) => directory.typeOf(id)));
  const assignBen = (service: TestService) =>
    assign(service, service.serviceToken(), { userIds: ['staff-ben'], workspaces: ['atlas'] });

  beforeEach(async () => {
    const service = await start();
    await service.directory.clear();
    await service.directory.permission('administer', 'administrator');
    await service.directory.workspace('atlas', ['administer']);
    for (const id of ['staff-ben', 'cyd']) await service.directory.user(id);
    await stop();
  });
  afterEach(async () => {
    await running[0]?.dataSource.query('DELETE FROM user_type_rule');
    await stop();
  });

  it('that nobody has changed takes the rule of the first change', async () => {
    await start();
    await stop();
    const own = await start(StaffRule);
    expect((await assignBen(own)).status).toBe(200);
    expect(await types(own)).toEqual(['manager', 'guest']);
    await expect(start()).rejects.toThrow(ANOTHER);
    await start(StaffRule);
  });

  it('with the default rule refuses a program with another one: its start and its import', async () => {
    const service = await start();
    expect((await assignBen(service)).status).toBe(200);
    await expect(start(StaffRule)).rejects.toThrow(ANOTHER);
    const userTypes = new UserTypeService(new StaffRule());
    const lines = ['{"permission":{"id":"new","grants":"member"}}'];
    await expect(importDirectory(service.dataSource, lines, ACT, { userTypes })).rejects.toThrow(ANOTHER);
    expect(await types(service)).toEqual(['administrator', 'guest']);
    expect(await service.dataSource.query(`SELECT FROM permissions WHERE id = 'new'`)).toEqual([]);
  });

  it('has all types derived anew by a program that is told to take it over, and refuses changes by the rule before', async () => {
    const before = await start();
    expect((await assignBen(before)).status).toBe(200);
    await before.dataSource.query(`UPDATE users SET status = 'inactive' WHERE id = 'staff-ben'`);

    const own = await start(StaffRule, TAKE_OVER);
    expect(await types(own)).toEqual(['manager', 'guest']);
    const [entry] = await newestEntries(own.dataSource, 1);
    expect(entry).toMatchObject({
      action: 'user.type.changed',
      user: 'staff-ben',
      actor: { kind: 'system', id: 'user-admin take-over' },
      before: { type: 'administrator' },
      after: { type: 'manager' },
    });

    const late = await assign(before, before.serviceToken(), { userIds: ['cyd'], workspaces: ['atlas'] });
    expect(late.status).toBe(500);
    expect(await own.directory.state()).toMatchObject({ workspaces: ['staff-ben in atlas'] });
    // Told twice, it has nothing to do.
    await start(StaffRule, TAKE_OVER);
    expect(await types(own)).toEqual(['manager', 'guest']);
  });

  it('is taken over by an import, with the users that the file does not name', async () => {
    const service = await start();
    await service.directory.user('keeper', { type: 'administrator', permissions: ['administer'] });
    await service.dataSource.query(`UPDATE users SET type = 'member' WHERE id = 'cyd'`);
    expect((await assignBen(service)).status).toBe(200);
    const ruled = { userTypes: new UserTypeService(new StaffRule()), takesOverUserTypes: true };
    const lines = ['{"user":{"id":"staff-new"}}'];
    await expect(importDirectory(service.dataSource, lines, ACT, ruled)).rejects.toThrow(
      'This would leave the directory without an active administrator',
    );
    expect(await types(service)).toEqual(['administrator', 'member']);
    await service.dataSource.query(`UPDATE users SET status = 'inactive' WHERE type = 'administrator'`);
    await importDirectory(service.dataSource, lines, ACT, { ...ruled, dryRun: true });
    expect(await types(service)).toEqual(['administrator', 'member']);
    await importDirectory(service.dataSource, lines, ACT, ruled);
    expect(await types(service)).toEqual(['manager', 'guest']);
    expect(await service.directory.typeOf('staff-new')).toBe('manager');
    const entries = await newestEntries(service.dataSource, 6);
    const first = entries.findIndex(({ action }) => action === 'directory.imported');
    expect(entries.slice(0, first + 1).map(({ action, user }) => [action, user])).toEqual([
      ['user.type.changed', 'staff-new'],
      ['user.type.changed', 'staff-ben'],
      ['user.type.changed', 'keeper'],
      ['user.type.changed', 'cyd'],
      ['user.created', 'staff-new'],
      ['directory.imported', null],
    ]);
  });

  it('says why somebody has a type: by the rule of the application', async () => {
    const own = await start(StaffRule);
    expect((await assignBen(own)).status).toBe(200);
    const path = '/api/users/staff-ben/permissions';
    const why = await ask(own.url + path, { headers: { authorization: `Bearer ${own.serviceToken()}` } });
    expect(JSON.parse(why.text)).toEqual({
      type: 'manager',
      rule: 'application',
      next: null,
      permissions: [
        {
          id: 'administer',
          grants: 'administrator',
          earnsType: null,
          sources: [expect.objectContaining({ kind: 'workspace', id: 'atlas' })],
        },
      ],
    });
  });

  describeOnServer('while another program takes it over', () => {
    it('refuses an assignment that waited, and writes nothing', async () => {
      const service = await start();
      expect((await assignBen(service)).status).toBe(200);
      const gate = await Gate.close(database.url, 'LOCK TABLE users IN EXCLUSIVE MODE', []);
      const late = assign(service, service.serviceToken(), { userIds: ['cyd'], workspaces: ['atlas'] });
      await gate.waitFor(1);
      await gate.execute(`UPDATE user_type_rule SET fingerprint = 'another'`);
      await gate.commit();
      expect((await late).status).toBe(500);
      expect(await service.directory.state()).toMatchObject({ workspaces: ['staff-ben in atlas'] });
    });
  });
});
