import { TokenVerifier } from '@user-administration/access-tokens';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuthModuleOptions, PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithoutRequest, type VerifyCallback } from 'passport-jwt';
import { bearerToken } from '@user-administration/http';
import type { Caller } from './caller';
import { Callers } from './callers';

/** passport-jwt registers every strategy as `jwt`; this one has a given name. */
class NamedStrategy extends Strategy {
  constructor(options: StrategyOptionsWithoutRequest & { name: string }, verify: VerifyCallback) {
    super(options, verify);
    this.name = options.name;
  }
}

/** Turns the bearer token of the `authorization` header (RFC 6750 section 2.1) into the caller. */
@Injectable()
export class JwtStrategy extends PassportStrategy(NamedStrategy) implements OnApplicationShutdown {
  constructor(
    private readonly tokens: TokenVerifier,
    private readonly callers: Callers,
    { defaultStrategy }: AuthModuleOptions,
  ) {
    super({
      name: String(defaultStrategy),
      jwtFromRequest: bearerToken,
      ...tokens.options,
      // Options of jsonwebtoken that passport-jwt does not have.
      jsonWebTokenOptions: tokens.options,
      secretOrKeyProvider: (_request: unknown, token: string, done: (error: unknown, key?: never) => void) => {
        // `done` verifies the token, and throws if the library does. The `catch` must come after it: an unhandled
        // rejection would end the process. The types permit only text and buffers, but jsonwebtoken prefers a
        // KeyObject.
        tokens
          .keyFor(token)
          .then((key) => withoutStackTraces(() => done(null, key as never)))
          .catch(done);
      },
    });
  }

  /** Called with a payload whose signature, expiry, issuer and audience have been verified. */
  async validate(payload: unknown): Promise<Caller> {
    return this.callers.identify(this.tokens.read(payload));
  }

  /** passport's registry outlives the app, and would keep everything in memory that the strategy refers to. */
  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}

/**
 * For a library that reports an expected outcome as an error. What fails in `work` for another reason has no stack
 * trace either.
 */
export function withoutStackTraces(work: () => void): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
