import type { ConfigPart } from './config-part';
import { nearestName } from './nearest-name';

/** All secrets and URLs. Each can also be in a file, named by the same variable with `_FILE`. */
export const GIVEN_AS_FILES = [
  'PUBLIC_URL',
  'DATABASE_URL',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'JWT_PUBLIC_KEY',
  'JWT_JWKS_URI',
  'STATUS_TOKEN_SECRET',
  'STATUS_TOKEN_SECRET_PREVIOUS',
  'OIDC_ISSUER',
] as const;

const OTHERS = [
  'NODE_ENV',
  'PORT',
  'HOST',
  'HEADERS_TIMEOUT_MS',
  'HEADERS_MAX_KIB',
  'REQUEST_TIMEOUT_MS',
  'BODY_MEMORY_MIB',
  'KEEP_ALIVE_TIMEOUT_MS',
  'SHUTDOWN_DRAIN_MS',
  'FAIR_USE_PER_ADDRESS',
  'FAIR_USE_PER_CALLER',
  'FAIR_USE_WINDOW_SECONDS',
  'TRUSTED_PROXIES',
  'DATABASE_PASSWORD_FILE',
  'DATABASE_POOL_SIZE',
  'DATABASE_PREPARED_STATEMENTS',
  'DATABASE_STATEMENT_TIMEOUT_MS',
  'DATABASE_LOCK_TIMEOUT_MS',
  'DATABASE_IDLE_TRANSACTION_TIMEOUT_MS',
  'DATABASE_CONNECT_TIMEOUT_MS',
  'DATABASE_QUEUE_SIZE',
  'DATABASE_QUEUE_TIMEOUT_MS',
  'USER_TYPE_RULE_TAKE_OVER',
  'DATA_DIR',
  'JWT_ISSUER',
  'JWT_AUDIENCE',
  'JWT_USER_CLAIM',
  'JWT_SCOPE_CLAIM',
  'JWT_ADMIN_SCOPE',
  'JWT_READ_SCOPE',
  'READ_PERMISSION',
  'JWT_SERVICE_SUBJECTS',
  'OIDC_CLIENT_ID',
  'OIDC_SCOPE',
  'OIDC_AUDIENCE',
  'LOG_LEVEL',
] as const;

/** Every variable of the service itself. Those of libpq (`PGPASSWORD`, `PGSSLMODE`) are not of the service. */
export const VARIABLES = [
  ...GIVEN_AS_FILES,
  ...GIVEN_AS_FILES.map((name) => `${name}_FILE` as const),
  ...OTHERS,
] as const;

export type VariableName = (typeof VARIABLES)[number] | 'PGPASSWORD' | 'PGSSLMODE';

/** Every variable of the service and of these plugins. */
export function namesOf(parts: readonly ConfigPart[]): string[] {
  return [...VARIABLES, ...parts.flatMap(({ variables = [] }) => variables)];
}

/** Names of other programs that look like `HOST` and `PORT`. */
const OF_OTHERS = /^(HOME|PG[A-Z]+)$/;
/** In the environment, shorter names are too likely to be those of other programs. */
const MIN_LETTERS = 8;
const MAX_DISTANCE = 2;

/**
 * The variable that a name was probably meant to be: one or two letters away, and not set itself.
 *
 * @param names those of all variables
 * @param isSet whether a variable has a value
 * @param isInFile whether the name stands in `.env`, which is for the service alone
 */
export function intendedVariable(
  name: string,
  names: readonly string[],
  isSet: (name: string) => boolean,
  isInFile: boolean,
): string | undefined {
  if (names.includes(name) || OF_OTHERS.test(name) || (name.length < MIN_LETTERS && !isInFile)) return undefined;
  const nearest = nearestName(
    name,
    names.filter((variable) => !isSet(variable)),
  );
  return nearest && nearest.distance <= MAX_DISTANCE ? nearest.name : undefined;
}
