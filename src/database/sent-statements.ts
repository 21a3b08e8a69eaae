import { randomBytes } from 'node:crypto';
import { type ClientBase, Query, type QueryResult } from 'pg';
import { nameOf } from './prepared-statements';

type OnAnswered = (error: Error | null | undefined, result: QueryResult) => void;
type Send = (statement: unknown, ...rest: unknown[]) => unknown;

export interface SentStatementsOptions {
  /** Whether the statements that are declared with `prepared` are prepared on this connection. */
  prepares: boolean;
  /** Told of every statement when its answer has come, or its failure. */
  onAnswered?: (seconds: number) => void;
}

/**
 * Sees to how statements leave by a connection: each is timed, and those that are sent often go by their name.
 *
 * `pg` is given its own `Query` and a callback, where it would take a description of one apart, property by property, and collect a
 * stack for a failure.
 */
export function sendStatements(client: ClientBase, { prepares, onAnswered }: SentStatementsOptions): void {
  // The names are the connection's own: who is connected to the embedded database of another process shares one session with all
  // others there, and does not know it.
  const connection = randomBytes(8).toString('hex');
  const send = client.query.bind(client) as Send;
  const sendText = (text: unknown, ...rest: unknown[]): unknown => {
    // Anything else brings its own way of being sent (a cursor, COPY), or an answer that is not one result.
    if (typeof text !== 'string') return send(text, ...rest);
    const [values, callback] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest;
    const query = new Query(text, values as unknown[]) as Query & { name?: string; callback: OnAnswered };
    const name = prepares ? nameOf(text) : undefined;
    if (name !== undefined) query.name = `${name}_${connection}`;
    const sentAt = performance.now();
    const answered = (then: OnAnswered): OnAnswered => {
      return (error, result) => {
        onAnswered?.((performance.now() - sentAt) / 1000);
        then(error, result);
      };
    };
    if (typeof callback === 'function') {
      query.callback = answered(callback as OnAnswered);
      return send(query);
    }
    return new Promise<QueryResult>((resolve, reject) => {
      query.callback = answered((error, result) => (error ? reject(error) : resolve(result)));
      send(query);
    });
  };
  client.query = sendText as ClientBase['query'];
}
