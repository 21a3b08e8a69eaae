/** An idempotency key: one for a form, so that what is sent twice happens once. `crypto.randomUUID` needs https. */
export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
