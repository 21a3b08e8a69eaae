const names = new Map<string, string>();

/**
 * Declares a frequent statement. Each connection prepares it once under this name, so that the server does not parse
 * and plan it every time. It is sent like any other statement.
 *
 * @example
 * const CALLER = prepared('caller', 'SELECT type, status FROM users WHERE id = $1');
 * await manager.query(CALLER, [id]);
 */
export function prepared(name: string, statement: string): string {
  names.set(statement, name);
  return statement;
}

/** The name of a declared statement; undefined for all others. */
export function nameOf(statement: string): string | undefined {
  return names.get(statement);
}
