import type { Answer } from './ask';

const STATUS = '/api/users/manage-status';

/** The headers of every answer. */
export function expectGoodManners({ headers }: Answer): void {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('content-language')).toBe('en');
  expect(headers.get('vary')).toContain('Accept-Language');
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.has('x-powered-by')).toBe(false);
  expect(headers.has('etag')).toBe(false);
}

/** The body in the format of the path. */
function failureAt(path: string, status: number, message: string): string {
  return JSON.stringify({ status: path.toLowerCase().startsWith(STATUS) ? 'error' : status, message });
}

/** Expects this refusal, in the format of its path, with the headers of every answer. */
export async function expectFailure(
  answering: Promise<Answer>,
  path: string,
  status: number,
  message: string,
): Promise<void> {
  const answer = await answering;
  expect(answer.text).toBe(failureAt(path, status, message));
  expect(answer.status).toBe(status);
  expectGoodManners(answer);
}
