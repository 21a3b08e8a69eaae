/** How tokens are signed: by a secret, or by a private key whose public half is in a key set. */
export const TOKEN_KINDS = ['HS256', 'RS256'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
