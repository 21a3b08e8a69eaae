import type { TestService } from './test-service';

/** A complete answer. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** The sentence of every refusal of a manage-status caller. */
export const NOT_PERMITTED = '{"status":"error","message":"Invalid token or user ID"}';
export const UNAUTHENTICATED = '{"status":401,"message":"Please sign in with a valid token."}';
export const STATUS_UPDATED = '{"status":"success","message":"User status updated successfully"}';
export const ASSIGNED = '{"status":200,"message":"Users successfully assigned to workspaces."}';

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Posts a body as JSON. Text is sent unchanged, because many malformed bodies are not JSON. A header of `undefined` is left out. */
export function post(url: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<Answer> {
  const all = { accept: 'application/json', 'content-type': 'application/json', ...headers };
  return ask(url, {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function assign(service: TestService, token: string | undefined, body: unknown): Promise<Answer> {
  return post(`${service.url}/api/users/workspace-assign`, body, bearer(token));
}

export function manageStatus(service: TestService, token: string | undefined, body: unknown): Promise<Answer> {
  return post(`${service.url}/api/users/manage-status`, body, bearer(token));
}

function bearer(token: string | undefined): Record<string, string | undefined> {
  return { authorization: token === undefined ? undefined : `Bearer ${token}` };
}

/** Every header except those that always differ between answers. */
export function steadyHeaders(answer: Answer): Record<string, string> {
  return Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'));
}
