/**
 * The keys of the advisory locks, each held until the end of a transaction. Nothing else in this database may use them.
 * Plugins have keys of their own: a test knows that no two are the same.
 * The numbers are arbitrary, and processes of two releases must agree on them. Two more locks have no number here:
 * sealing takes `'journal_seals'::regclass::bigint` (`journal/sql/seal_journal.sql`), and a request with an idempotency
 * key takes 64 bits of the hash by which it is stored (`idempotency/keyed-requests.ts`).
 */
export const ADVISORY_LOCKS = {
  /** One process at a time migrates. */
  migrations: 7_225_108_019,
  /** Nobody gets another id meanwhile. */
  renames: 7_225_108_020,
  /** One process at a time carries out ends: `expiry/sql/carry_out_ends.sql`. */
  expiry: 7_225_108_023,
} as const;
