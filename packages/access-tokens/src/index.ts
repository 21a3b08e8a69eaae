export { type AccessClaims, readAccessClaims, refuseTooLong, TokenRefusedError } from './access-token.rules';
export { JwksKeys } from './jwks-keys';
export { holdsCredentials, isTamperProof, isWebUrl } from './jwks-url.rules';
export { KeysAwayError } from './keys-away.error';
export { publicKeysIn } from './public-key.rules';
export { signAccessToken } from './sign-access-token';
export { type VerificationKey } from './token-options';
export { asRefusal, TokenVerifier } from './token-verifier';
export { type KeyWithAlgorithms, secretKeys, signerOf } from './verification-keys';
