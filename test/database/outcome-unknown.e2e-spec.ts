import { OutcomeUnknownError } from '../../src/database/database-errors';
import { databaseCode, isDatabaseUnavailable } from '../../src/database/sql-errors';
import { Transactions } from '../../src/database/transactions';
import { startTestService, type TestService } from '../support/test-service';
import { fetchDeclared } from '../support/declared-answers';
import { describeOnServer } from '../support/describe-on-server';
import { eventually } from '../support/eventually';
import { SeverableDatabase } from '../support/severable-database';

/** Statements are cut when their bytes pass; the call of the function is a prepared statement of its name. */
const THE_CALL = /assign_users/;
const THE_LOOKUP = /find_user/;
const THE_COMMIT = /COMMIT\0/;

let database: SeverableDatabase;
let service: TestService;

beforeAll(async () => {
  database = await SeverableDatabase.open();
  service = await startTestService({ database: database.address });
});
afterAll(async () => {
  await service.close();
  await database.close();
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

describe('a change whose answer is lost', () => {
  it('may have been made, and the caller is told so', async () => {
    database.loseAnswerTo(THE_CALL, true);
    expect(await assign()).toBe(UNKNOWN);
    expect(await isAssigned()).toBe(true);
  });

  it('may not have been made, and the caller is told the same', async () => {
    database.loseAnswerTo(THE_CALL, false);
    expect(await assign()).toBe(UNKNOWN);
    expect(await isAssigned()).toBe(false);
  });

  it('has a code of its own for programs', async () => {
    database.loseAnswerTo(THE_CALL, true);
    const answer = await assign({ accept: 'application/problem+json' });
    expect(answer).toContain('"code":"service.outcome_unknown"');
  });

  it('is reported in the language of the caller', async () => {
    database.loseAnswerTo(THE_CALL, true);
    expect(await assign({ 'accept-language': 'de' })).toContain(
      'Es ist nicht bekannt, ob die Änderung vorgenommen wurde.',
    );
  });

  it.each([true, false])('may be asked for again with its key, and is made once (made before: %p)', async (isMade) => {
    const headers = { 'idempotency-key': `"key ${isMade}"` };
    database.loseAnswerTo(THE_COMMIT, isMade);
    expect(await assign(headers)).toBe(UNAVAILABLE);
    expect(await isAssigned()).toBe(isMade);
    await eventually(async () => expect(await assign(headers)).toBe(ASSIGNED));
    expect(await isAssigned()).toBe(true);
  });
});

describe('a connection that is lost before the change', () => {
  it('leaves no doubt: the caller may try again', async () => {
    database.loseAnswerTo(THE_LOOKUP, true);
    expect(await assign()).toBe(UNAVAILABLE);
    expect(await isAssigned()).toBe(false);
  });
});

describe('a unit of work in a transaction', () => {
  const run = () =>
    service.app
      .get(Transactions)
      .run((manager) => manager.query(`UPDATE users SET display_name = 'Benjamin' WHERE id = 'ben' RETURNING id`))
      .catch((error: unknown) => error);

  it.each([true, false])(
    'has an unknown outcome once its commit has been sent (answered: %p)',
    async (whenAnswered) => {
      database.loseAnswerTo(THE_COMMIT, whenAnswered);
      expect(await run()).toBeInstanceOf(OutcomeUnknownError);
    },
  );

  it('is undone when its connection is lost before', async () => {
    database.loseAnswerTo(/UPDATE users/, true);
    const failure = await run();
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
    expect(isDatabaseUnavailable(failure)).toBe(true);
  });

  it('is undone when its connection is lost between two statements', async () => {
    const failure: unknown = await service.app
      .get(Transactions)
      .run(async (manager) => {
        await database.cut();
        await database.mend();
        await eventually(() => Promise.resolve(expect(manager.queryRunner?.isReleased).toBe(true)));
        await manager.query('SELECT 1');
      })
      .catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});

describeOnServer('a change that the server ends, and says so', () => {
  it('is undone without a doubt', async () => {
    const failure: unknown = await service.app
      .get(Transactions)
      .call((sender) => sender.query('SELECT pg_terminate_backend(pg_backend_pid())'))
      .catch((error: unknown) => error);
    expect(databaseCode(failure)).toBe('57P01');
    expect(failure).not.toBeInstanceOf(OutcomeUnknownError);
  });
});
