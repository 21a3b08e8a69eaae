// One implementation for CommonJS and ES modules, so that a class is the same class however it is imported.
export { clientCredentials, UserAdministrationClient, UserAdministrationError } from './index.ts';
export type * from './index.ts';
