import { tableOf } from './calls.mjs';

const ASSIGN = '/api/users/workspace-assign';
const MANAGE = '/api/users/manage-status';
const NOT_AN_ADMINISTRATOR = '403 {"status":403,"message":"Only an administrator can do this."}';
const NOT_SIGNED_IN = '401 {"status":401,"message":"Please sign in with a valid token."}';
const STATUS_UPDATED = '200 {"status":"success","message":"User status updated successfully"}';

const patchOf = (...operations) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});

/** The whole transcript, over HTTP, with the demo directory. */
export async function tellStory(service, calls, transcript) {
  const ada = service.tokenFor('ada');
  const dee = service.tokenFor('dee');
  const users = async () => {
    const rows = await calls.users(service.serviceToken());
    return { rows, facts: rows.map(({ user, type, status }) => `${user}: ${type}, ${status}`) };
  };

  transcript.step('Which users exist?');
  transcript.say('This is what GET /api/users and the memberships of each user say.');
  const before = await users();
  transcript.answer(...tableOf(before.rows));
  transcript.check('There are six users, and all but Eve are active', before.facts, [
    'ada: administrator, active',
    'ben: manager, active',
    'cyd: member, active',
    'dee: guest, active',
    'eve: member, inactive',
    'zoe: administrator, active',
  ]);

  transcript.step('Ada assigns Cyd, Dee and Eve to two workspaces, with a group in each.');
  const assignment = {
    userIds: ['cyd', 'dee', 'eve'],
    workspaces: ['atlas', 'borealis'],
    groups: ['atlas-editors', 'borealis-managers'],
  };
  transcript.check(
    'Three users were assigned with one request',
    await calls.post(ASSIGN, assignment, { token: ada }),
    '200 {"status":200,"message":"Users successfully assigned to workspaces."}',
  );

  transcript.step('What has changed?');
  transcript.say(
    'Members of borealis-managers have a permission that grants the type manager. The service derives these types.',
  );
  const after = await users();
  transcript.answer(...tableOf(after.rows));
  transcript.check('Cyd, Dee and Eve are managers now, and Eve is still inactive', after.facts, [
    'ada: administrator, active',
    'ben: manager, active',
    'cyd: manager, active',
    'dee: manager, active',
    'eve: manager, inactive',
    'zoe: administrator, active',
  ]);

  transcript.step('Ada mistypes a name, and reads German.');
  transcript.check(
    'The request was refused in German',
    await calls.post(
      ASSIGN,
      { userIds: ['ben', 'dede'], workspaces: ['cosmos'] },
      { token: ada, language: 'de-CH, fr;q=0.5' },
    ),
    '400 {"status":400,"message":"Bitte wählen Sie einen gültigen Benutzer aus."}',
  );
  transcript.check('Ben, who does exist, was not assigned either', await users(), after);

  transcript.step('Dee tries the same.');
  transcript.check(
    'Dee is signed in, but is no administrator',
    await calls.post(ASSIGN, assignment, { token: dee }),
    NOT_AN_ADMINISTRATOR,
  );

  transcript.step('Ada deactivates Dee.');
  transcript.say('The token in the body permits the change. The access token of an administrator toggles the status.');
  transcript.check(
    'The status was changed',
    await calls.post(MANAGE, { id: 'dee', token: ada }, { token: ada }),
    STATUS_UPDATED,
  );
  transcript.check('Dee is inactive', (await users()).facts[3], 'dee: manager, inactive');

  transcript.step('Dee tries again, with the same token.');
  transcript.check(
    'The token is refused at once, minutes before it expires',
    await calls.post(ASSIGN, assignment, { token: dee }),
    NOT_SIGNED_IN,
  );

  transcript.step('Ada activates Dee again.');
  transcript.check(
    'The status was changed back',
    await calls.post(MANAGE, { id: 'dee', token: ada }, { token: ada }),
    STATUS_UPDATED,
  );
  transcript.check(
    'Dee’s token is good again, for what Dee may do',
    await calls.post(ASSIGN, assignment, { token: dee }),
    NOT_AN_ADMINISTRATOR,
  );
  transcript.check('Everybody is as they were before Dee was deactivated', await users(), after);

  await tellOfProvider(calls, transcript, ada, users);
}

/** A joiner, a mover and a leaver, as an identity provider sends them by SCIM. */
async function tellOfProvider(calls, transcript, ada, users) {
  transcript.step('Ada connects an identity provider.');
  transcript.say('Its token opens SCIM alone. Its groups live in Atlas, and it may fill those of Borealis.');
  const connection = { name: 'Okta', workspace: 'atlas', workspaces: ['borealis'] };
  const connected = await calls.post('/api/scim-connections', connection, { token: ada });
  transcript.check('The connection was made', connected.slice(0, 4), '201 ');
  const { token } = JSON.parse(connected.slice(4));
  const factsOfMia = async () => (await users()).rows.find(({ user }) => user === 'mia');
  const send = (method, path, body) => calls.send(method, `/scim/v2${path}`, body, { token });

  transcript.step('Mia joins: the provider sends her, and puts her into a group.');
  const joiner = { userName: 'mia@example.com', externalId: 'mia', displayName: 'Mia', active: true };
  const created = await send('POST', '/Users', joiner);
  transcript.check('Mia was created', created.slice(0, 4), '201 ');
  const join = { op: 'Add', path: 'members', value: [{ value: 'mia' }] };
  transcript.check('She was put into the group', await send('PATCH', '/Groups/atlas-editors', patchOf(join)), '204 ');
  transcript.check('The group gives its workspace, and what it permits', await factsOfMia(), {
    user: 'mia',
    type: 'member',
    status: 'active',
    workspaces: 'atlas',
    groups: 'atlas-editors',
  });

  transcript.step('Mia moves to another team.');
  const leave = { op: 'Remove', path: 'members[value eq "mia"]' };
  transcript.check('She left one group', await send('PATCH', '/Groups/atlas-editors', patchOf(leave)), '204 ');
  transcript.check('And joined another', await send('PATCH', '/Groups/borealis-managers', patchOf(join)), '204 ');
  transcript.check('The workspace of the last group was left with it', await factsOfMia(), {
    user: 'mia',
    type: 'manager',
    status: 'active',
    workspaces: 'borealis',
    groups: 'borealis-managers',
  });

  transcript.step('Mia leaves the company.');
  const deactivation = patchOf({ op: 'Replace', path: 'active', value: 'False' });
  transcript.check('The provider deactivated her', await send('PATCH', '/Users/mia', deactivation), '204 ');
  transcript.check('Her tokens are refused from now on', (await factsOfMia()).status, 'inactive');
}
