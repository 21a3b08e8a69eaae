/** What a program needs to read its configuration and to sign a token: it does not load Nest. */
export { holdsCredentials, isTamperProof, isWebUrl } from './jwks-url.rules';
export { publicKeysIn } from './public-key.rules';
export { signAccessToken, type SigningKey } from './sign-access-token';
export type { VerificationKey } from './token-options';
