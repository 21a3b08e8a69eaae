import type { JournalEntryDto, JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import type { ScimConnectionWithTokenDto } from '../../src/scim/dto/scim-connection.dto';
import { type Answer, ask } from '../support/ask';
import { writeSmallDirectory } from '../support/small-directory';
import { type TestService, useTestService } from '../support/test-service';

/** The service with a small directory, and the calls of an administrator and of identity providers. */
export class ScimApi {
  private constructor(readonly service: TestService) {}

  /** For all tests of a file. Each test begins with the small directory, and without a connection. */
  static forEachTest(options?: Parameters<typeof useTestService>[0]): ScimApi {
    const api = new ScimApi(useTestService(options));
    // Connections end with their workspaces.
    beforeEach(() => writeSmallDirectory(api.service));
    return api;
  }

  /** A call of the administrator Ada. */
  call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    return this.send(this.service.tokenOf('ada'), method, `/api${path}`, body, headers);
  }

  /** The body of the answer to a call of Ada that must succeed. */
  async done<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call(method, path, body);
    expect([answer.status, answer.text]).toEqual([expect.any(Number), answer.text]);
    expect(answer.status).toBeLessThan(300);
    return (answer.text === '' ? undefined : JSON.parse(answer.text)) as T;
  }

  connect(body: object = {}): Promise<ScimConnectionWithTokenDto> {
    return this.done('POST', '/scim-connections', { name: 'Okta', workspace: 'atlas', ...body });
  }

  /** The newest entries of the journal, oldest first. */
  async newestEntries(count: number): Promise<JournalEntryDto[]> {
    return (await this.done<JournalPageDto>('GET', `/journal?limit=${count}`)).entries.toReversed();
  }

  send(token: string, method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    return ask(this.service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}
