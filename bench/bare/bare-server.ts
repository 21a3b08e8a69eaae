import { createSecretKey } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type JwtPayload, verify } from 'jsonwebtoken';
import { Pool } from 'pg';

/** The body of either operation. */
export interface Body {
  userIds: string[];
  workspaces: string[];
  groups: string[];
  id: string;
  token: string;
}

/** A named prepared statement that answers with one number: positive for a success. */
export interface Work {
  name: string;
  text: string;
  values: unknown[];
}

/** What a bare server sends to the database for each operation, in one round trip. */
export interface BareOperations {
  assign(body: Body): Work;
  toggle(body: Body): Work;
}

const MAX_ATTEMPTS = 8;
const CONFLICTS = ['40001', '40P01'];

/**
 * A bare `node:http` server over `pg`: it verifies the JWT and sends one statement. It has no framework, no validation beyond
 * what the statement needs, no languages, no log and no headers of its own.
 */
export function serveBare(operations: BareOperations): void {
  const { DATABASE_URL, JWT_SECRET = '', PORT } = process.env;
  const key = createSecretKey(Buffer.from(JWT_SECRET));
  const pool = new Pool({ connectionString: DATABASE_URL, max: 10 });

  const subjectOf = (token: string): string | undefined => {
    try {
      return (verify(token, key, { algorithms: ['HS256'] }) as JwtPayload).sub;
    } catch {
      return undefined;
    }
  };

  const succeeds = async (work: Work): Promise<boolean> => {
    for (let attempts = 1; ; attempts++) {
      try {
        const { rows } = await pool.query<{ done: number | null }>(work);
        return (rows[0]?.done ?? 0) > 0;
      } catch (error) {
        if (attempts === MAX_ATTEMPTS || !CONFLICTS.includes((error as { code?: string }).code ?? '')) throw error;
      }
    }
  };

  const statusOf = async (request: IncomingMessage, text: string): Promise<number> => {
    if (request.url === '/health/ready') return pool.query('SELECT 1').then(() => 200);
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const caller = subjectOf(token);
    if (caller === undefined) return 401;
    const body = JSON.parse(text) as Body;
    if (request.url === '/api/users/workspace-assign') {
      return (await succeeds(operations.assign(body))) ? 200 : 400;
    }
    const granter = body.token === token ? caller : subjectOf(body.token);
    return granter !== undefined && (await succeeds(operations.toggle(body))) ? 200 : 401;
  };

  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      statusOf(request, Buffer.concat(chunks).toString()).then(
        (status) => reply(response, status),
        () => reply(response, 500),
      );
    });
  }).listen(Number(PORT), '127.0.0.1');

  process.once('SIGTERM', () => process.exit());
}

function reply(response: ServerResponse, status: number): void {
  const body = JSON.stringify({ status, message: 'The answer is as long as the one of the service.' });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
