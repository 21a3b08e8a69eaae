import { type Answer, ask } from '../support/ask';
import type { TestService } from '../support/test-service';

/** Ada's calls of the API, past the page. */
export class Calls {
  constructor(private readonly service: TestService) {}

  call(method: string, path: string, body?: unknown, token = this.service.tokenOf('ada')): Promise<Answer> {
    return ask(`${this.service.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  /** The body of the answer to a call that must succeed. */
  async done<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.call(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}
