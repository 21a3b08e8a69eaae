import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { ServiceError } from '../contract/errors';
import { isIdentifier } from '../contract/identifiers';
import { LIMITS } from '../contract/limits';
import { Statements } from '../database/statements';
import type { IdempotentUnit } from '../database/transactions';
import { SealedAnswers } from './sealed-answers';

/** A request that bears an idempotency key. */
export interface KeyedRequest {
  /** As the request was let in. */
  caller: Caller;
  /** SHA-256 of the caller and the key. */
  id: Buffer;
  /** SHA-256 of all that a repetition must have in common with the first. */
  fingerprint: Buffer;
  /** The language that the answer is in. */
  language: string;
}

/** What the first request of a key was answered: the handler's result, whose sentence if any is in this language. */
export interface KeptAnswer {
  result: unknown;
  language: string;
}

/** Remembers what requests with a key were answered, in the database, so that every process of the service knows. */
@Injectable()
export class KeyedRequests {
  constructor(
    private readonly statements: Statements,
    private readonly sealed: SealedAnswers,
  ) {}

  /**
   * Answers can hold secrets, and the caller was judged before the body came: one whose standing has changed since is told
   * nothing, and is refused by the change itself.
   *
   * @returns undefined when no request of this key has succeeded yet
   * @throws ServiceError `idempotency.key_reused` when it was another request
   */
  async find({ id, fingerprint, caller }: KeyedRequest): Promise<KeptAnswer | undefined> {
    const [kept] = await this.statements.query<{ fingerprint: Buffer; language: string; answer: Buffer | null }[]>(
      `SELECT fingerprint, language, answer FROM idempotency_keys
       WHERE id = $1 AND expires_at > now() AND standing_of($2, $3) = $4`,
      // The empty text is nobody's id.
      [id, caller.kind, isIdentifier(caller.id) ? caller.id : '', caller.administrator ? 'administrator' : 'user'],
    );
    if (!kept) return undefined;
    if (!fingerprint.equals(kept.fingerprint)) throw new ServiceError('idempotency.key_reused');
    return { language: kept.language, result: kept.answer === null ? undefined : this.open(id, kept.answer) };
  }

  /**
   * For the transaction of the change. The lock does not wait, so whoever comes second is told at once; the row, whose id is
   * unique, is what makes sure, also where an engine has no such locks.
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

  /** When the secret has been changed meanwhile, all that is known is that the key has been used. */
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

/** In the place of one that has expired, if need be. One that is there still began before this one, and ended just now. */
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

/** Few at a time, so that no request pays for many. Whoever is at it already is not waited for. */
async function forgetExpired(manager: EntityManager): Promise<void> {
  await manager.query(
    `DELETE FROM idempotency_keys WHERE id IN (
       SELECT id FROM idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)`,
  );
}
