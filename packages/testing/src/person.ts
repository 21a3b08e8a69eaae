import type { UserRecord } from '../../../src/contract/directory';
import { refuseUnknownNames } from './known-names';

/** The fields of a person that a test chooses. */
export type PersonFields = Partial<UserRecord>;

/** The record of a person, in the form of an import. */
export interface PersonRecord {
  user: UserRecord & { email: string | null; displayName: string | null };
}

const FIELDS: Readonly<Record<keyof UserRecord, true>> = {
  id: true,
  email: true,
  displayName: true,
  status: true,
  activeUntil: true,
  permissions: true,
  workspaces: true,
  groups: true,
};

/** 11 and 13 have no common divisor, so 143 persons have names that differ. */
const GIVEN = ['Amara', 'Björn', 'Chloé', 'Deniz', 'Ewa', 'Farid', 'Grace', 'Hiro', 'Inés', 'Jonas', 'Kavya'];
const FAMILY = [
  'Adeyemi',
  'Brandt',
  'Costa',
  'Dubois',
  'Eriksen',
  'Ferrari',
  'García',
  'Horváth',
  'Ivanova',
  'Jansen',
  'Kaya',
  'López',
  'Müller',
];

/**
 * @param number counted from 1: the same number is the same person in each run
 * @throws RangeError for a field that no user has
 */
export function newPerson(number: number, fields: PersonFields = {}): PersonRecord {
  refuseUnknownNames('A person has', fields, FIELDS as Readonly<Record<keyof PersonFields, true>>, 'field');
  return {
    user: {
      id: `person-${number}`,
      email: `person-${number}@example.com`,
      displayName: `${GIVEN[number % GIVEN.length]} ${FAMILY[number % FAMILY.length]}`,
      ...fields,
    },
  };
}
