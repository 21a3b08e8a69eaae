import { OpenIdClient } from '../sign-in/open-id-client.ts';

/** Signs people in at the identity provider; undefined if the service has none. Made at the start: it reads the address. */
export const openId = OpenIdClient.ofPage('/admin');
