import { PERSONAL_FACTS } from '../../src/contract/record-fields';
import { verifyJournal } from '../../src/journal/verify-journal';
import { call } from '../support/record-calls';
import { sealed } from '../support/sealed';
import { writeSmallDirectory } from '../support/small-directory';
import { useTestService } from '../support/test-service';

const service = useTestService();

const NAMED = 'SELECT personal_facts() AS names';
const name = (names: readonly string[]) =>
  service.dataSource.query(
    `CREATE OR REPLACE FUNCTION personal_facts() RETURNS text[] LANGUAGE sql IMMUTABLE AS
     $$ SELECT ARRAY[${names.map((each) => `'${each}'`).join(', ')}] $$`,
  );

it('are those whose fields are declared as personal', async () => {
  expect(await service.dataSource.query(NAMED)).toEqual([{ names: PERSONAL_FACTS }]);
});

describe('a phone that is appended as one of them', () => {
  beforeAll(() => Promise.all([writeSmallDirectory(service), name([...PERSONAL_FACTS, 'phone'])]));
  afterAll(() => name(PERSONAL_FACTS));

  it('stands in the entry until it is erased, and nowhere afterwards', async () => {
    const phone = '+49 89 5550123';
    await call(service, 'POST', '/api/users', { body: { id: 'pia', displayName: 'Pia' } });
    await service.dataSource.query(
      `SELECT journal_append_changes('system', 'a test', NULL, NULL, NULL, NULL, ARRAY[ROW('user.updated', ARRAY['pia'],
        NULL, jsonb_build_object('phone', NULL), jsonb_build_object('phone', $1::text))::journal_new_change])`,
      [phone],
    );
    await sealed(service.dataSource);
    const entries = async () =>
      (await call(service, 'GET', '/api/journal?user=pia&action=user.updated')).body as object;
    expect(await entries()).toMatchObject({ entries: [{ before: { phone: null }, after: { phone } }] });

    expect((await call(service, 'DELETE', '/api/users/pia?erase=true')).status).toBe(204);
    expect(await entries()).toMatchObject({ entries: [{ before: {}, after: {}, erased: true }] });
    const tables: { text: string }[] = await service.dataSource.query(
      `SELECT concat((SELECT json_agg(c) FROM journal_changes AS c), (SELECT json_agg(p) FROM journal_personal AS p)) AS text`,
    );
    expect(tables[0]?.text).not.toContain(phone);
    expect((await verifyJournal(service.dataSource)).broken).toBeUndefined();
  });
});
