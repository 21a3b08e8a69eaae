import { Organisation } from '../sign-in/organisation.ts';

/** The identity provider at which people sign in; undefined if the service has none. Made at the start: it reads the address. */
export const organisation = Organisation.ofPage('/admin');
