import { UserAdministrationError } from '../../src/user-administration-error.ts';

/** The error of a failing call. */
export async function failureOf(call: Promise<unknown>): Promise<UserAdministrationError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof UserAdministrationError) return outcome;
  throw new Error('The call did not fail with an error of this package.', { cause: outcome });
}
