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
  for (const [name, value] of Object.entries(SETTINGS)) await setLocally(manager, name, value);
  if (isPatient) await setLocally(manager, 'lock_timeout', '0');
  if (idleTransactionMs !== undefined) {
    await setLocally(manager, 'idle_in_transaction_session_timeout', String(idleTransactionMs));
  }
}

export async function setLocally(manager: EntityManager, name: string, value: string): Promise<void> {
  await manager.query('SELECT set_config($1, $2, true)', [name, value]);
}
