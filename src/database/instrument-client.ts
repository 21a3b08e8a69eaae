import { randomBytes } from 'node:crypto';
import { type Client, DatabaseError, Query, type QueryResult } from 'pg';
import { AnswerLostError } from './database-errors';
import { nameOf } from './prepared-statements';
import { databaseCode } from './sql-errors';

type OnAnswered = (error: Error | null | undefined, result: QueryResult) => void;
type Send = (statement: unknown, ...rest: unknown[]) => unknown;

export interface StatementObserver {
  /** Called when a statement has succeeded or failed. */
  onAnswered?(seconds: number): void;
  onFailed?(error: unknown): void;
}

/**
 * Instruments a connection: each statement is timed, frequent ones are prepared under a name, and a failure says
 * whether the statement had been sent.
 *
 * `pg` receives a `Query` of its own class, because its `submit` shows when the statement is sent.
 *
 * @param prepares whether the statements that are declared with `prepared` are prepared on this connection
 */
export function instrumentClient(client: Client, prepares: boolean, observer: StatementObserver = {}): void {
  // Names are unique to the connection: all connections to the embedded database of another process share one session.
  const connection = randomBytes(8).toString('hex');
  const send = client.query.bind(client) as Send;
  const sendText = (text: unknown, ...rest: unknown[]): unknown => {
    // Anything else has its own way of sending (a cursor, COPY), or more than one result.
    if (typeof text !== 'string') return send(text, ...rest);
    const [values, callback] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest;
    const query = new Query(text, values as unknown[]) as Query & { name?: string; callback: OnAnswered };
    const name = prepares ? nameOf(text) : undefined;
    if (name !== undefined) query.name = `${name}_${connection}`;
    const began = performance.now();
    const submit = query.submit.bind(query);
    let isSent = false;
    // V8 allocates a function that is assigned to a property in the old generation, so it would keep what its request refers
    // to until the next full garbage collection. A function that is assigned to a variable first is young.
    const submitOnce: Query['submit'] = (wire) => {
      isSent = true;
      submit(wire);
    };
    query.submit = submitOnce;
    const answered = (then: OnAnswered): OnAnswered => {
      return (error, result) => {
        observer.onAnswered?.((performance.now() - began) / 1000);
        if (!error) return then(error, result);
        const failure = isSent && isAnswerLost(client, error) ? answerLost(error) : error;
        observer.onFailed?.(failure);
        then(failure, result);
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
  client.query = sendText as Client['query'];
}

/**
 * A server that gives the reason why it ends a statement has rolled it back. Class 08 is a pooler's code for a broken
 * connection to the server.
 */
function isAnswerLost(client: Client, error: Error): boolean {
  if (error instanceof DatabaseError) return error.code?.startsWith('08') ?? false;
  return client.connection.stream.destroyed;
}

function answerLost(cause: Error): AnswerLostError {
  return new AnswerLostError('the connection was lost before the answer came', databaseCode(cause), { cause });
}
