import type { EntityManager } from 'typeorm';

/**
 * Settings for the transaction of an import. Its statements about a large file can take longer than any request may.
 * Compiling the type rule for each chunk takes longer than running it, and large sorts need memory.
 */
const SETTINGS = {
  statement_timeout: '0',
  jit: 'off',
  work_mem: '64MB',
};

/**
 * All input has been read, so this process has nothing to do between two statements. If it is stopped, the bound of
 * idle transactions ends its transaction and frees its locks: while it holds them, neither a statement nor an answer is
 * larger than a socket's buffer, in which the database would wait for the process and not be idle.
 */
export async function makeRoom(
  manager: EntityManager,
  idleTransactionMs: number | undefined,
  isPatient: boolean,
): Promise<void> {
  const settings = {
    ...SETTINGS,
    ...(isPatient && { lock_timeout: '0' }),
    ...(idleTransactionMs !== undefined && { idle_in_transaction_session_timeout: String(idleTransactionMs) }),
  };
  await manager.query('SELECT set_config(name, value, true) FROM json_each_text($1) AS setting (name, value)', [
    settings,
  ]);
}
