/** The key of a token cannot be fetched at the moment, so nobody knows whether the token is valid. */
export class KeysAwayError extends Error {
  /** @param seconds when it is worth trying again; undefined if that is not known */
  constructor(
    readonly seconds: number | undefined,
    options?: ErrorOptions,
  ) {
    super('the key set cannot be fetched', options);
  }
}
