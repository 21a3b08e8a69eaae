import { createSecretKey, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decode, sign, verify } from 'jsonwebtoken';
import { v7 as uuidv7 } from 'uuid';
import { CONFIG, type Config } from '../config/config';
import { ACTOR_KINDS, type Actor } from '../contract/journal';
import type { UserStatus } from '../contract/directory';
import { isIdentifier } from '../contract/identifiers';
import { isUserStatus } from '../contract/field.rules';
import {
  asRefusal,
  type KeyWithAlgorithms,
  refuseTooLong,
  secretKeys,
  signerOf,
  TokenRefusedError,
} from '@user-administration/access-tokens';

/** The JWT header `typ` of a status token. No other kind of token has it, so neither kind is accepted as the other. */
const STATUS_TOKEN_TYPE = 'user-status+jwt';

/** The claims of a status token: one change to one user, once. `users/sql/change_user_status.sql` spends the token. */
export interface StatusTokenClaims {
  /** The id of the token, which is stored when it is used. */
  id: string;
  userId: string;
  /** Since when the user has the id. Tells the user from one who gets the id later, by a creation or a renaming. */
  userIdSince: Date;
  status: UserStatus;
  expiresAt: Date;
  reason: string | undefined;
  /** The issuer of the token, who grants the permission. */
  mintedBy: Actor;
  /** The same of the issuer; undefined for a service. */
  minterIdSince: Date | undefined;
}

/** Signs status tokens with the current secret, and verifies them with the previous ones as well. */
@Injectable()
export class StatusTokens {
  private readonly secret: KeyObject;
  private readonly keys: readonly KeyWithAlgorithms[];

  constructor(@Inject(CONFIG) config: Config) {
    this.secret = createSecretKey(Buffer.from(config.statusTokenSecret));
    this.keys = secretKeys([config.statusTokenSecret, ...config.previousStatusTokenSecrets]);
  }

  mint(claims: Omit<StatusTokenClaims, 'id'>): string {
    const payload = {
      status: claims.status,
      user_id_since: claims.userIdSince.toISOString(),
      minted_by: { ...claims.mintedBy, id_since: claims.minterIdSince?.toISOString() },
      exp: Math.floor(claims.expiresAt.getTime() / 1000),
      ...(claims.reason === undefined ? {} : { reason: claims.reason }),
    };
    return sign(payload, this.secret, {
      algorithm: 'HS256',
      header: { alg: 'HS256', typ: STATUS_TOKEN_TYPE },
      subject: claims.userId,
      jwtid: uuidv7(),
    });
  }

  /**
   * @returns undefined for a token that does not claim to be a status token
   * @throws TokenRefusedError when it claims to be one and is not valid, or when it is too long to decode
   */
  read(token: string): StatusTokenClaims | undefined {
    refuseTooLong(token);
    if (!claimsToBeOne(token)) return undefined;
    try {
      const key = signerOf(token, 'HS256', this.keys) ?? this.secret;
      const { header, payload } = verify(token, key, { algorithms: ['HS256'], complete: true });
      if ('crit' in header) throw new TokenRefusedError('the token has critical extensions');
      return readClaims(payload);
    } catch (error) {
      throw asRefusal(error);
    }
  }
}

/** No part of the token is trusted yet. */
function claimsToBeOne(token: string): boolean {
  try {
    return decode(token, { complete: true })?.header.typ === STATUS_TOKEN_TYPE;
  } catch {
    return false;
  }
}

/**
 * A token with our signature has our format, unless the secret is shared with another issuer, so nothing is assumed.
 */
function readClaims(payload: unknown): StatusTokenClaims {
  if (typeof payload !== 'object' || payload === null) throw new TokenRefusedError('the payload is not an object');
  const {
    jti,
    sub,
    status,
    exp,
    reason,
    minted_by: mintedBy,
    user_id_since: idSince,
  } = payload as Record<string, unknown>;
  if (
    !isIdentifier(jti) ||
    !isIdentifier(sub) ||
    !isEpochSeconds(exp) ||
    !isUserStatus(status) ||
    !isMinter(mintedBy) ||
    !isDateText(idSince)
  ) {
    throw new TokenRefusedError('the status token lacks a claim');
  }
  return {
    id: jti,
    userId: sub,
    userIdSince: new Date(idSince),
    status,
    expiresAt: new Date(exp * 1000),
    reason: typeof reason === 'string' ? reason : undefined,
    mintedBy: { kind: mintedBy.kind, id: mintedBy.id },
    minterIdSince: mintedBy.id_since === undefined ? undefined : new Date(mintedBy.id_since),
  };
}

/** Only a user has an id since some time. */
function isMinter(value: unknown): value is Actor & { id_since?: string } {
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('id' in value)) return false;
  if (!ACTOR_KINDS.some((kind) => kind === value.kind)) return false;
  const idSince = 'id_since' in value ? value.id_since : undefined;
  if (value.kind === 'user') return isIdentifier(value.id) && isDateText(idSince);
  return typeof value.id === 'string' && idSince === undefined;
}

function isDateText(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** The range of seconds that a date can represent. */
function isEpochSeconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && !Number.isNaN(new Date(Number(value) * 1000).getTime());
}
