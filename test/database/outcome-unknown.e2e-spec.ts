import type { Pool, PoolClient } from 'pg';
import {
  type DatabaseClient,
  databaseCode,
  isDatabaseUnavailable,
  OutcomeUnknownError,
} from '@user-administration/postgres';
import { Transactions } from '../../src/database/transactions';
import { startTestService, type TestService } from '../support/test-service';
import { fetchDeclared } from '../support/declared-answers';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { SeverableDatabase } from '../support/severable-database';

/** Statements are cut when their bytes pass; the call of the function is a prepared statement of its name. */
const THE_CALL = /assign_users/;
const THE_LOOKUP = /find_callers/;
const THE_COMMIT = /COMMIT\0/;

let database: SeverableDatabase;
let service: TestService;

beforeAll(async () => {
  database = await SeverableDatabase.open();
  service = await startTestService({ database: database.address });
});
afterAll(async () => {
  await service?.close();
  await database?.close();
});
beforeEach(() =>
  eventually(async () => {
    await service.directory.clear();
    await service.directory.workspace('atlas');
    await service.directory.user('ada', { type: 'administrator' });
    await service.directory.user('ben');
  }),
);

const ENGLISH = 'It is not known whether the change was made. Please check before trying again.';
const UNKNOWN = `503 null {"status":503,"message":"${ENGLISH}"}`;
const UNAVAILABLE =
  '503 1 {"status":503,"message":"The service is temporarily unavailable. Please try again shortly."}';
const ASSIGNED = '200 null {"status":200,"message":"Users successfully assigned to workspaces."}';

async function assign(headers: Record<string, string> = {}): Promise<string> {
  const response = await fetchDeclared(`${service.url}/api/users/workspace-assign`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.tokenOf('ada')}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ userIds: ['ben'], workspaces: ['atlas'] }),
  });
  return `${response.status} ${response.headers.get('retry-after')} ${await response.text()}`;
}

/** The connections that were cut are replaced first. */
async function isAssigned(): Promise<boolean> {
  let workspaces: string[] = [];
  await eventually(async () => void ({ workspaces } = await service.directory.state()));
  return workspaces.length === 1;
}

describe('a change whose connection breaks after its commit was sent', () => {
  it('is answered with an unknown outcome if it was made', async () => {
    database.loseAnswerTo(THE_CALL, true);
    expect(await assign()).toBe(UNKNOWN);
    expect(await isAssigned()).toBe(true);
  });

  it('is answered with the same unknown outcome if it was not made', async () => {
    database.loseAnswerTo(THE_CALL, false);
    expect(await assign()).toBe(UNKNOWN);
    expect(await isAssigned()).toBe(false);
  });

  it('is answered with a code of its own for programs', async () => {
    database.loseAnswerTo(THE_CALL, true);
    const answer = await assign({ accept: 'application/problem+json' });
    expect(answer).toContain('"code":"service.outcome_unknown"');
  });

  it('is answered in the language of the caller', async () => {
    database.loseAnswerTo(THE_CALL, true);
    expect(await assign({ 'accept-language': 'de' })).toContain(
      'Es ist nicht bekannt, ob die Änderung vorgenommen wurde.',
    );
  });

  it.each([true, false])(
    'can be sent again with its Idempotency-Key, and is made once (made before: %p)',
    async (isMade) => {
      const headers = { 'idempotency-key': `"key ${isMade}"` };
      database.loseAnswerTo(THE_COMMIT, isMade);
      expect(await assign(headers)).toBe(UNAVAILABLE);
      expect(await isAssigned()).toBe(isMade);
      await eventually(async () => expect(await assign(headers)).toBe(ASSIGNED));
      expect(await isAssigned()).toBe(true);
    },
  );
});

// A pooler reports a broken connection to the server with SQLSTATEs of class 08.
it('a change of which a pooler says that its connection broke has an unknown outcome', async () => {
  const failure: unknown = await service.app
    .get(Transactions)
    .call((sender) => sender.query(`DO $$ BEGIN RAISE connection_failure; END $$`))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OutcomeUnknownError);
});

describe('a connection that breaks before the commit', () => {
  it('is answered as an outage: the caller can try again', async () => {
    database.loseAnswerTo(THE_LOOKUP, true);
    expect(await assign()).toBe(UNAVAILABLE);
    expect(await isAssigned()).toBe(false);
  });

  it('is answered as an outage if it had been closed before the change was sent', async () => {
    const { master } = service.dataSource.driver as unknown as { master: Pool };
    const client = (await master.connect()) as PoolClient & DatabaseClient;
    client.release();
    // As when another server is chosen. The pool hears of it later.
    client.distrust();
    const failure: unknown = await service.app
      .get(Transactions)
      .call((sender) => sender.query(`UPDATE users SET display_name = 'Benjamin' WHERE id = 'ben' RETURNING id`))
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});

describe('a transaction', () => {
  const run = () =>
    service.app
      .get(Transactions)
      .run((manager) => manager.query(`UPDATE users SET display_name = 'Benjamin' WHERE id = 'ben' RETURNING id`))
      .catch((error: unknown) => error);

  it.each([true, false])('has an unknown outcome after its commit was sent (answered: %p)', async (whenAnswered) => {
    database.loseAnswerTo(THE_COMMIT, whenAnswered);
    expect(await run()).toBeInstanceOf(OutcomeUnknownError);
  });

  it('is known to be rolled back if its connection breaks before the commit', async () => {
    database.loseAnswerTo(/UPDATE users/, true);
    const failure = await run();
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  it('is known to be rolled back if its connection breaks between two statements', async () => {
    const failure: unknown = await service.app
      .get(Transactions)
      .run(async (manager) => {
        await database.cut();
        await database.mend();
        await eventually(() => expect(manager.queryRunner?.isReleased).toBe(true));
        await manager.query('SELECT 1');
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});

describeOnServer('a change that the server aborts', () => {
  it('is known to be rolled back', async () => {
    const failure: unknown = await service.app
      .get(Transactions)
      .call((sender) => sender.query('SELECT pg_terminate_backend(pg_backend_pid())'))
      .catch((error: unknown) => error);
    expect(databaseCode(failure)).toBe('57P01');
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});
