import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';

/**
 * The hashes of the journal, made once more by what its migration says of them, so that a test can forge a record which is
 * right in itself.
 */
export async function entryHash(manager: EntityManager, id: number): Promise<Buffer> {
  const [row]: Record<string, string | number | string[] | null>[] = await manager.query(
    `SELECT floor(extract(epoch FROM at) * 1000)::text AS at, action, actor_kind, actor_id, granted_by, user_id,
       workspace_ids, before::text AS before, after::text AS after, reason, request_id, chain, seal, position
     FROM journal_entries WHERE id = $1`,
    [id],
  );
  const text = (column: string) => JSON.stringify(row?.[column] ?? null);
  const members = [
    '"entry/1"',
    id,
    row?.at,
    ...['action', 'actor_kind', 'actor_id', 'granted_by', 'user_id'].map(text),
    `[${(row?.workspace_ids as string[]).map((workspace) => JSON.stringify(workspace)).join(', ')}]`,
    row?.before ?? 'null',
    row?.after ?? 'null',
    ...['reason', 'request_id'].map(text),
    row?.chain,
    row?.seal,
    row?.position,
  ];
  return createHash('sha256')
    .update(`[${members.join(', ')}]`)
    .digest();
}

export async function sealHash(manager: EntityManager, number: number): Promise<Buffer> {
  const [previous]: { hash: Buffer }[] = await manager.query('SELECT hash FROM journal_seals WHERE number = $1', [
    number - 1,
  ]);
  const entries: { chain: number; hash: Buffer }[] = await manager.query(
    'SELECT chain, hash FROM journal_entries WHERE seal = $1 ORDER BY position',
    [number],
  );
  const header = Buffer.alloc(14);
  header.writeInt16BE(entries[0]?.chain ?? 0, 0);
  header.writeBigInt64BE(BigInt(number), 2);
  header.writeInt32BE(entries.length, 10);
  const parts = ['seal/1', previous?.hash ?? '', header, ...entries.map(({ hash }) => hash)];
  return createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();
}
