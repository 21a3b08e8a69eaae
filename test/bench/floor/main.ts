import { createSecretKey, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type JwtPayload, verify } from 'jsonwebtoken';
import { Pool, type QueryResult } from 'pg';

/**
 * The floor: what the work costs on Node and PostgreSQL when nothing stands in between. It keeps the guarantees of the
 * service (the caller is verified and looked up for each request, units are retried, the journal is written) and calls the
 * same functions of the database, in as few round trips as possible, but it has no framework, no validation beyond what the
 * statements need, no languages, no log and no headers of its own.
 */
const { DATABASE_URL, JWT_SECRET = '', PORT } = process.env;
const key = createSecretKey(Buffer.from(JWT_SECRET));
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 });

interface Caller {
  id: string;
  type: string;
  status: string;
}

async function callerOf(token: string): Promise<Caller | undefined> {
  const sub = subjectOf(token);
  if (sub === undefined) return undefined;
  const { rows }: QueryResult<Caller> = await pool.query({
    name: 'caller',
    text: 'SELECT id, type, status FROM users WHERE id = $1',
    values: [sub],
  });
  return rows[0]?.status === 'active' ? rows[0] : undefined;
}

function subjectOf(token: string): string | undefined {
  try {
    return (verify(token, key, { algorithms: ['HS256'] }) as JwtPayload).sub;
  } catch {
    return undefined;
  }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (attempts === 8 || !['40001', '40P01'].includes((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

interface Assignment {
  userIds: string[];
  workspaces: string[];
  groups: string[];
}

async function assign(caller: Caller, { userIds, workspaces, groups }: Assignment): Promise<number> {
  if (caller.type !== 'administrator') return 403;
  const values = [userIds, workspaces, groups, false, null, 'user', caller.id, randomUUID()];
  const text = 'SELECT * FROM assign_users($1, $2, $3, $4, $5, $6, $7, $8)';
  const { rows } = await retried(() => pool.query<{ assigned: number | null }>({ name: 'assign', text, values }));
  return typeof rows[0]?.assigned === 'number' ? 200 : 400;
}

async function changeStatus(caller: Caller, token: string, body: { id: string; token: string }): Promise<number> {
  const granter = body.token === token ? caller : await callerOf(body.token);
  if (granter?.type !== 'administrator') return 401;
  const values = [body.id, null, null, null, null, 'user', caller.id, null, null, randomUUID()];
  const text = 'SELECT change_user_status($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';
  await retried(() => pool.query({ name: 'status', text, values }));
  return 200;
}

async function answerTo(request: IncomingMessage, body: string): Promise<number> {
  if (request.url === '/health/ready') return pool.query('SELECT 1').then(() => 200);
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const caller = await callerOf(token);
  if (!caller) return 401;
  if (request.url === '/api/users/workspace-assign') return assign(caller, JSON.parse(body) as Assignment);
  return changeStatus(caller, token, JSON.parse(body) as { id: string; token: string });
}

function reply(response: ServerResponse, status: number): void {
  const body = JSON.stringify({ status, message: 'The answer is as long as the one of the service.' });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    answerTo(request, Buffer.concat(chunks).toString()).then(
      (status) => reply(response, status),
      () => reply(response, 500),
    );
  });
}).listen(Number(PORT), '127.0.0.1');

process.once('SIGTERM', () => process.exit());
