import { type Provider, ScimApi, work } from './scim-api';

const api = ScimApi.forEachTest();

let okta: Provider;
beforeEach(async () => {
  okta = await api.provider();
});
afterEach(() => api.service.dataSource.query('DROP FUNCTION IF EXISTS collide CASCADE'));

/** From now on, each of so many attempts to insert into this table meets what another change has taken. */
async function collide(table: string, attempts: number, constraint: string): Promise<void> {
  const { dataSource } = api.service;
  // A rollback does not take a number back.
  await dataSource.query('CREATE SEQUENCE IF NOT EXISTS attempts');
  await dataSource.query('ALTER SEQUENCE attempts RESTART');
  await dataSource.query(`
    CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('attempts') <= ${attempts} THEN
        RAISE unique_violation USING CONSTRAINT = '${constraint}';
      END IF;
      RETURN NEW;
    END $$`);
  await dataSource.query(`CREATE TRIGGER collide BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION collide()`);
}

async function attempts(): Promise<number> {
  const [row] = await api.service.dataSource.query<[{ last_value: string }]>('SELECT last_value FROM attempts');
  return Number(row.last_value);
}

const ann = { userName: 'ann', externalId: 'e1', emails: [work('ann@x.io')] };

it('a change that others overtake begins again, until it is alone', async () => {
  await collide('users', 9, 'users_email_unique');
  expect(await okta.create(ann)).toMatchObject({ userName: 'ann' });
  expect(await attempts()).toBe(10);
});

it.each([
  ['users', 'users_id_unique', 'This id is already in use.'],
  ['users', 'users_email_unique', 'This email address is already in use.'],
  ['scim_users', 'scim_users_id_unique', 'Another user has this id.'],
  ['scim_users', 'scim_users_user_name_unique', 'Another user has this userName.'],
  ['scim_users', 'scim_users_external_id_unique', 'Another user has this externalId.'],
])(
  'a change that does not get alone is refused by what the last attempt met: %s, %s',
  async (table, constraint, detail) => {
    await collide(table, 1_000, constraint);
    const { status, text } = await okta.call('POST', '/Users', ann);
    expect(JSON.parse(text)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '409',
      scimType: 'uniqueness',
      detail,
    });
    expect([status, await attempts()]).toEqual([409, 10]);
  },
);

it('a group does not hear of users, and can be sent again', async () => {
  await collide('scim_groups', 1_000, 'scim_groups_pkey');
  const { status, text, headers } = await okta.call('POST', '/Groups', { displayName: 'Staff' });
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect(JSON.parse(text)).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: '503',
    detail: 'The service is temporarily unavailable. Please try again shortly.',
  });
});
