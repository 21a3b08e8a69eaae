import { Injectable } from '@nestjs/common';
import { decode } from 'jsonwebtoken';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { ExpiredRows, type IdempotentUnit, Statements } from '@user-administration/postgres';
import { SealedAnswers } from './sealed-answers';

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** The caller as authorized by the guards. */
  caller: Caller;
  /** SHA-256 of the caller's record and the key. A service has no record, and counts by its subject. */
  id: Buffer;
  /** SHA-256 of everything in which a retry must equal the first request. */
  fingerprint: Buffer;
  /** The language of the answer. */
  language: string;
}

/** The stored answer of the first request: the handler's result, and the language of its sentence. */
export interface KeptAnswer {
  result: unknown;
  language: string;
}

/** Stores the answers of requests with a key in the database, for every process of the service. */
@Injectable()
export class KeyedRequests {
  private readonly expired = new ExpiredRows('idempotency_keys', { keptHours: 0, batch: 100 });

  constructor(
    private readonly statements: Statements,
    private readonly sealed: SealedAnswers,
  ) {}

  /**
   * Finds a stored answer, whatever its expiry says: see {@link ExpiredRows}. Answers can contain secrets, and the
   * caller was judged before the body arrived, so the caller is judged again here: one who has lost authority gets no
   * answer, and the change itself refuses.
   *
   * @returns undefined if no request with this key has succeeded yet
   */
  async find({ id, fingerprint, caller }: KeyedRequest): Promise<KeptAnswer | undefined> {
    const [kept] = await this.statements.query<{ fingerprint: Buffer; language: string; answer: Buffer | null }[]>(
      `SELECT fingerprint, language, answer FROM idempotency_keys
       WHERE id = $1 AND standing_of($2, $3) = $4 AND ($5::bigint IS NULL OR EXISTS (SELECT FROM users WHERE key = $5
         AND id = $3))`,
      [id, caller.kind, recordId(caller), standingOf(caller), caller.key],
    );
    if (!kept) return undefined;
    if (!fingerprint.equals(kept.fingerprint)) throw new ServiceError('idempotency.key_reused');
    return { language: kept.language, result: kept.answer === null ? undefined : this.open(id, kept.answer) };
  }

  /**
   * Claims the key in the transaction of the change. The lock does not wait, so a concurrent retry is answered at once.
   * The unique id of the row guarantees a single execution, also on engines without advisory locks.
   */
  once(request: KeyedRequest): IdempotentUnit {
    return {
      begin: (manager) => lock(manager, request.id),
      complete: async (manager, result) => {
        await this.expired.sweep(manager);
        const answer = result === undefined ? null : this.sealed.seal(request.id, result);
        await keep(manager, request, answer, userIn(result));
      },
    };
  }

  /** If the secret has changed, the answer is lost, and only the use of the key is known. */
  private open(id: Buffer, answer: Buffer): unknown {
    try {
      return this.sealed.open(id, answer);
    } catch (cause) {
      throw new ServiceError('idempotency.key_reused', {}, { cause });
    }
  }
}

async function lock(manager: EntityManager, id: Buffer): Promise<void> {
  const [lock]: { taken: boolean }[] = await manager.query('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    id.readBigInt64BE().toString(),
  ]);
  if (!lock?.taken) throw new ServiceError('idempotency.in_progress');
}

/**
 * A row that exists belongs to a request that began earlier and has just ended. There is none either if the caller was
 * deleted since the guards, and another user was created with the id: a retry is a request of that user. A caller may
 * have got another id: by this request.
 */
async function keep(
  manager: EntityManager,
  request: KeyedRequest,
  answer: Buffer | null,
  subject: string | undefined,
): Promise<void> {
  const { id, fingerprint, language, caller } = request;
  const kept: unknown[] = await manager.query(
    `INSERT INTO idempotency_keys (id, fingerprint, language, answer, subject, expires_at)
     SELECT $1, $2, $3, $5, $6, now() + interval '${LIMITS.idempotencyHours} hours'
     WHERE $4::bigint IS NULL OR EXISTS (SELECT FROM users WHERE key = $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, fingerprint, language, caller.key, answer, subject],
  );
  if (kept.length === 0) throw new ServiceError('idempotency.in_progress');
}

/** The user of an answer that has personal facts: those of a record, or the reason in a status token. */
function userIn(result: unknown): string | undefined {
  const { id, email, token } = (result ?? {}) as { id?: string; email?: unknown; token?: string };
  if (token !== undefined) return decode(token, { json: true })?.sub;
  return email === undefined ? undefined : id;
}

/**
 * The standing that the caller must still have. `standing_of` knows no scopes: a service without a record is always an
 * administrator there, also one that only reads.
 */
function standingOf({ kind, administrator }: Caller): 'administrator' | 'user' {
  return kind === 'user' && !administrator ? 'user' : 'administrator';
}

/** The empty text is not the id of any user. */
function recordId({ id }: Caller): string {
  return isIdentifier(id) ? id : '';
}
