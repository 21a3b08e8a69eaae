import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Passport } from 'passport';
import { Strategy } from 'passport-jwt';
import { readAccessClaims } from './access-token.rules';
import { AccessTokens } from './access-tokens';
import { bearerToken } from './bearer-token';
import type { Caller } from './caller';
import { Callers } from './callers';

/** Turns the bearer token of the `authorization` header (RFC 6750 section 2.1) into the caller. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    tokens: AccessTokens,
    private readonly callers: Callers,
  ) {
    super({
      jwtFromRequest: bearerToken,
      ...tokens.options,
      secretOrKeyProvider: (_request: unknown, token: string, done: (error: unknown, key?: never) => void) => {
        // The types know only text and buffers; jsonwebtoken, which this reaches, prefers a KeyObject.
        // It verifies inside of `done`, so what it throws is caught behind it, or it would end the process.
        tokens
          .keyFor(token)
          .then((key) => done(null, key as never))
          .catch(done);
      },
    });
  }

  /** Called with a payload whose signature, times, issuer and audience have been verified. */
  async validate(payload: unknown): Promise<Caller> {
    return this.callers.identify(readAccessClaims(payload));
  }

  /** Passport's own registry is one for the whole process; each app has its own keys and its own database. */
  protected getPassportInstance() {
    return new Passport();
  }
}
