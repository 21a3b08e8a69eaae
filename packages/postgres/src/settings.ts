/** What a program needs to read its configuration: it loads neither Nest nor TypeORM. */
export type { DatabaseBounds } from './database-bounds';
export { hasPassword, problemsOfDatabaseUrl, serversIn, SSL_MODES_OF_LIBPQ } from './database-url.rules';
export { DescribedError } from './described-error';
export { isTrustedOwner, NotUtf8Error, OtherOwnerError, readSecretText, readText } from './secret-text';
