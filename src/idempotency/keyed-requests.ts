import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { Statements } from '../database/statements';
import type { IdempotentUnit } from '../database/transactions';
import { SealedAnswers } from './sealed-answers';

/** A request with an idempotency key. */
export interface KeyedRequest {
  /** The caller as authorized by the guards. */
  caller: Caller;
  /** SHA-256 of the caller and the key. */
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
  constructor(
    private readonly statements: Statements,
    private readonly sealed: SealedAnswers,
  ) {}

  /**
   * Finds a stored answer. Answers can contain secrets, and the caller was judged before the body arrived, so the
   * caller is judged again here: one who has lost authority gets no answer, and the change itself refuses.
   *
   * @returns undefined if no request with this key has succeeded yet
   */
  async find({ id, fingerprint, caller }: KeyedRequest): Promise<KeptAnswer | undefined> {
    const [kept] = await this.statements.query<{ fingerprint: Buffer; language: string; answer: Buffer | null }[]>(
      `SELECT fingerprint, language, answer FROM idempotency_keys
       WHERE id = $1 AND expires_at > now() AND standing_of($2, $3) = $4`,
      // The empty text is not the id of any user.
      [id, caller.kind, isIdentifier(caller.id) ? caller.id : '', caller.administrator ? 'administrator' : 'user'],
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
        await forgetExpired(manager);
        await keep(manager, request, result === undefined ? null : this.sealed.seal(request.id, result));
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

/** Replaces an expired row. A row that is still valid belongs to a request that began earlier and has just ended. */
async function keep(manager: EntityManager, request: KeyedRequest, answer: Buffer | null): Promise<void> {
  const kept: unknown[] = await manager.query(
    `INSERT INTO idempotency_keys AS kept (id, fingerprint, language, answer, expires_at)
     VALUES ($1, $2, $3, $4, now() + interval '${LIMITS.idempotencyHours} hours')
     ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, language = excluded.language,
       answer = excluded.answer, expires_at = excluded.expires_at
     WHERE kept.expires_at <= now() RETURNING id`,
    [request.id, request.fingerprint, request.language, answer],
  );
  if (kept.length === 0) throw new ServiceError('idempotency.in_progress');
}

/** Removes a few rows at a time, so that no request pays for many. It skips rows that another process has locked. */
async function forgetExpired(manager: EntityManager): Promise<void> {
  await manager.query(
    `DELETE FROM idempotency_keys WHERE id IN (
       SELECT id FROM idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)`,
  );
}
