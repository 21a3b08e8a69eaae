export { type AccessClaims, readAccessClaims, refuseTooLong, TokenRefusedError } from './access-token.rules';
export { JwksKeys } from './jwks-keys';
export { KeysAwayError } from './keys-away.error';
export { asRefusal, TokenVerifier } from './token-verifier';
export { type KeyWithAlgorithms, secretKeys, signerOf } from './verification-keys';
