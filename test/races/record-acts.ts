import type { DirectoryRecord } from '../../src/contract/directory';
import type { DirectoryBuilder } from '../support/directory-builder';
import type { TestService } from '../support/test-service';
import { ImportError } from '../../src/plugins/transfer/import-error';
import { assign, manageStatus } from '../support/ask';
import { call } from '../support/record-calls';
import { load } from './acts';
import { type Replicas, useReplicas } from './replicas';

/** Something that is done at one replica, by a service, which needs no record; told by its status. */
export type RecordAct = (service: TestService) => Promise<number>;

export const remove =
  (path: string): RecordAct =>
  async (service) =>
    (await call(service, 'DELETE', path, byService(service))).status;

export const patch =
  (path: string, body: object): RecordAct =>
  async (service) =>
    (await call(service, 'PATCH', path, { ...byService(service), body })).status;

export const create =
  (path: string, body: object): RecordAct =>
  async (service) =>
    (await call(service, 'POST', path, { ...byService(service), body })).status;

export const put =
  (userIds: string[], workspaces: string[], groups: string[] = []): RecordAct =>
  async (service) =>
    (await assign(service, service.serviceToken(), { userIds, workspaces, groups })).status;

export const toggle =
  (id: string): RecordAct =>
  async (service) =>
    (await manageStatus(service, service.serviceToken(), { id, token: service.serviceToken() })).status;

/** An import, told as a request would be. */
export const bring =
  (record: DirectoryRecord): RecordAct =>
  (service) =>
    load(record)(service).then(
      () => 200,
      (error: Error) => (error instanceof ImportError ? 400 : Promise.reject(error)),
    );

export function byService(service: TestService) {
  return { headers: { authorization: `Bearer ${service.serviceToken()}` } };
}

/** Two replicas for all tests of a suite. Each test begins with the same records, and leaves true types and no failure. */
export function replicasForRecordActs(): Replicas {
  const replicas = useReplicas();
  beforeEach(() => fill(replicas.directory));
  afterEach(async () => {
    expect(await replicas.falseTypes()).toEqual([]);
    expect(replicas.takeFailures()).toEqual([]);
  });
  return replicas;
}

/** A workspace with a group, whose members and permissions these acts change. */
async function fill(directory: DirectoryBuilder): Promise<void> {
  await directory.clear();
  await directory.permission('read', 'member');
  await directory.permission('manage', 'manager');
  await directory.permission('administer', 'administrator');
  await directory.workspace('atlas', ['read']);
  await directory.group('atlas-editors', 'atlas', ['manage']);
  await directory.user('ann', { type: 'member' });
  await directory.member('ann', 'atlas');
  await directory.user('ben');
  for (const id of ['ada', 'zoe']) await directory.user(id, { type: 'administrator', permissions: ['administer'] });
  await directory.member('zoe', 'atlas', ['atlas-editors']);
}
