import { complex, flag, reference, type ResourceType, type Schema, several, text } from './schema';

const PLACES = ['work', 'home', 'other'];

/** RFC 7643 section 8.7.1, without what a connection cannot give: passwords and groups. */
export const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A user of the directory',
  attributes: [
    text('userName', 'Unique in the connection, whatever its case.', { required: true, uniqueness: 'server' }),
    complex('name', 'The parts of the name.', [
      text('formatted', 'The full name.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'The middle names.'),
      text('honorificPrefix', 'Titles before the name.'),
      text('honorificSuffix', 'Titles after the name.'),
    ]),
    text('displayName', 'The name by which the directory shows the user.'),
    text('nickName', 'The casual name.'),
    reference('profileUrl', ['external'], 'The address of a page about the user.'),
    text('title', 'The position, such as "Vice President".'),
    text('userType', 'The relation to the organization, such as "Contractor".'),
    text('preferredLanguage', 'The preferred languages, as in Accept-Language.'),
    text('locale', 'The locale, such as "en-US".'),
    text('timezone', 'The time zone, such as "America/Los_Angeles".'),
    flag('active', 'Whether the user may sign in. An inactive user is refused at once.'),
    several('emails', 'Email addresses. The primary one is that of the directory.', PLACES),
    several('phoneNumbers', 'Phone numbers.', [...PLACES, 'mobile', 'fax', 'pager']),
    several('ims', 'Addresses of instant messaging.'),
    several('photos', 'Addresses of photos.', ['photo', 'thumbnail'], reference('value', ['external'], 'The address.')),
    complex(
      'addresses',
      'Postal addresses.',
      [
        text('formatted', 'The full address.'),
        text('streetAddress', 'The street and the number.'),
        text('locality', 'The city.'),
        text('region', 'The state or region.'),
        text('postalCode', 'The postal code.'),
        text('country', 'The country, such as "DE".'),
        text('type', 'What the address is for.', { canonicalValues: PLACES }),
        flag('primary', 'Whether this is the preferred one. At most one value is.'),
      ],
      { multiValued: true },
    ),
    several('entitlements', 'What the user is entitled to. It is kept, and gives nothing here.'),
    several('roles', 'The roles of the user. They are kept, and give nothing here.'),
    several('x509Certificates', 'Certificates.', [], {
      name: 'value',
      type: 'binary',
      description: 'DER, in base 64.',
      caseExact: true,
    }),
  ],
};

/** RFC 7643 section 8.7.1. */
export const ENTERPRISE_USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  description: 'What an organization says of a user',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('costCenter', 'The cost center.'),
    text('organization', 'The organization.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    complex('manager', 'The manager of the user.', [
      text('value', 'The id of the manager.'),
      reference('$ref', ['User'], 'The address of the manager.'),
      text('displayName', 'The name of the manager.'),
    ]),
  ],
};

export const USER_TYPE: ResourceType = {
  name: 'User',
  path: 'Users',
  description: 'Users of the directory',
  core: USER,
  extensions: [ENTERPRISE_USER],
};
