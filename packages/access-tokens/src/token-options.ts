/** What verifies tokens: one kind of key. The previous secret verifies, and never signs. */
export type VerificationKey =
  | { readonly kind: 'secret'; readonly secret: string; readonly previous?: string | undefined }
  | { readonly kind: 'public-key'; readonly pems: readonly string[] }
  | { readonly kind: 'jwks'; readonly uri: string };

/** How access tokens are verified and read. */
export interface TokenOptions {
  readonly key: VerificationKey;
  /** The accepted issuers and audiences; none means any. */
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  /** The claim of the scopes, or a path to it, and the claim of the user's id. */
  readonly scopeClaim: string;
  readonly userClaim: string;
}
