// ES modules re-export the CommonJS build, so that `instanceof` works across both ways to import a class.
export { clientCredentials, UserAdministrationClient, UserAdministrationError } from './index.ts';
export type * from './index.ts';
