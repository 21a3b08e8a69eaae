import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';

const names = new Map<unknown, string>();

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

/**
 * Makes a connection prepare the statements that are declared. The names are its own: who is connected to the embedded database
 * of another process shares one session with all others there, and does not know it.
 */
export function prepareStatements(client: ClientBase): void {
  const connection = randomBytes(8).toString('hex');
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const queryByName = (text: unknown, ...rest: unknown[]) => {
    const name = names.get(text);
    return query(name === undefined ? text : { name: `${name}_${connection}`, text }, ...rest);
  };
  client.query = queryByName as ClientBase['query'];
}
