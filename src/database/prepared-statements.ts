const names = new Map<string, string>();

/**
 * Declares a statement that is sent so often that each connection to a server prepares it once, under this name, so that the
 * server does not parse and plan it every time. It is sent as any other.
 *
 * @example
 * const CALLER = prepared('caller', 'SELECT type, status FROM users WHERE id = $1');
 * await manager.query(CALLER, [id]);
 */
export function prepared(name: string, statement: string): string {
  names.set(statement, name);
  return statement;
}

/** What a statement was declared under; undefined for most. */
export function nameOf(statement: string): string | undefined {
  return names.get(statement);
}
