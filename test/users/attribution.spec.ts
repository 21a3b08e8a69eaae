import { AssignStatusesService } from '../../src/users/assign-statuses.service';
import { AssignWorkspacesService } from '../../src/users/assign-workspaces.service';
import { ChangePermissionsService } from '../../src/users/change-permissions.service';
import { ManageStatusService } from '../../src/users/manage-status.service';
import { UnassignUsersService } from '../../src/users/unassign-users.service';
import { type TestService, useTestService } from '../support/test-service';
import { querySealed } from '../support/sealed';

const ATTRIBUTION = {
  actor: { kind: 'service', id: 'provisioning' },
  grantedBy: 'ticket-system',
  reason: 'New in the team',
  requestId: 'job-7',
} as const;
const MEMBERSHIP = { userIds: ['ben'], workspaces: ['atlas'] };

const service = useTestService();

beforeAll(async () => {
  await service.directory.permission('read', 'member');
  await service.directory.workspace('atlas', ['read']);
  await service.directory.user('ada', { type: 'administrator' });
  await service.directory.user('ben');
});

/** In this order, each changes something. */
const CALLS: [string, (service: TestService) => Promise<unknown>][] = [
  ['an assignment', ({ app }) => app.get(AssignWorkspacesService).execute(MEMBERSHIP, ATTRIBUTION)],
  ['an unassignment', ({ app }) => app.get(UnassignUsersService).execute(MEMBERSHIP, ATTRIBUTION)],
  [
    'a change of statuses',
    ({ app }) => app.get(AssignStatusesService).execute({ userIds: ['ben'], status: 'inactive' }, ATTRIBUTION),
  ],
  [
    'a change of permissions',
    ({ app }) => app.get(ChangePermissionsService).execute({ holder: 'user', id: 'ben', grant: ['read'] }, ATTRIBUTION),
  ],
];

const lastEntries = async (count: number) =>
  querySealed(
    service.dataSource,
    `SELECT actor_id AS actor, granted_by AS "grantedBy", reason, request_id AS "requestId"
     FROM journal_entries ORDER BY id DESC LIMIT $1`,
    [count],
  );

describe('the journal records actor, reason and request of a call within the process', () => {
  it.each(CALLS)('of %s', async (_, call) => {
    const [{ before }] = await querySealed<[{ before: number }]>(
      service.dataSource,
      'SELECT count(*)::integer AS before FROM journal_entries',
    );
    await call(service);
    const [{ after }] = await querySealed<[{ after: number }]>(
      service.dataSource,
      'SELECT count(*)::integer AS after FROM journal_entries',
    );
    const { actor, ...others } = ATTRIBUTION;
    expect(after).toBeGreaterThan(before);
    expect(await lastEntries(after - before)).toEqual(
      Array<object>(after - before).fill({ actor: actor.id, ...others }),
    );
  });

  it('of a change of one status, with the user whose token permitted it', async () => {
    const caller = { kind: 'service', id: 'provisioning', administrator: true } as const;
    const request = { id: 'ben', token: service.tokenOf('ada') };
    await service.app.get(ManageStatusService).execute(request, ATTRIBUTION, { token: null, caller });
    expect(await lastEntries(1)).toEqual([
      { actor: 'provisioning', grantedBy: 'ada', reason: ATTRIBUTION.reason, requestId: ATTRIBUTION.requestId },
    ]);
  });
});

it('the reason in a request takes precedence over that of the call', async () => {
  const request = { userIds: ['ben'], status: 'inactive' as const, reason: 'The project has ended' };
  await service.app.get(AssignStatusesService).execute(request, ATTRIBUTION);
  expect(await lastEntries(1)).toEqual([expect.objectContaining({ reason: 'The project has ended' })]);
});
