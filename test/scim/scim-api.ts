import type { JournalEntryDto, JournalPageDto } from '../../src/journal/dto/journal-page.dto';
import type { ScimConnectionWithTokenDto } from '../../src/plugins/scim/dto/scim-connection.dto';
import type { UserRecordDto } from '../../src/users/dto/user.dto';
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

  /** At this service, whose directory has Ada. */
  static at(service: TestService): ScimApi {
    return new ScimApi(service);
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

  /** A record, as the administrators see it. */
  user(id: string): Promise<UserRecordDto> {
    return this.done('GET', `/users/${encodeURIComponent(id)}`);
  }

  connect(body: object = {}): Promise<ScimConnectionWithTokenDto> {
    return this.done('POST', '/scim-connections', { name: 'Okta', workspace: 'atlas', ...body });
  }

  /** The newest entries of the journal, oldest first. */
  async newestEntries(count: number): Promise<JournalEntryDto[]> {
    return (await this.done<JournalPageDto>('GET', `/journal?limit=${count}`)).entries.toReversed();
  }

  /** The calls of the identity provider of a new connection. */
  async provider(body: object = {}): Promise<Provider> {
    const { id, token } = await this.connect(body);
    return new Provider(this, id, token);
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

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** An address of work. */
export const work = (value: string, primary = true) => ({ value, type: 'work', primary });

/** A resource of SCIM, as it is answered. */
export type Resource = Record<string, unknown> & {
  id: string;
  meta: { resourceType: string; created: string; lastModified: string; location: string; version: string };
};

export interface List {
  totalResults: number;
  itemsPerPage: number;
  startIndex: number;
  Resources: Resource[];
}

/** An identity provider, at the address of SCIM. */
export class Provider {
  constructor(
    readonly api: ScimApi,
    readonly connection: string,
    readonly token: string,
  ) {}

  call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    const type = body === undefined ? {} : { 'content-type': 'application/scim+json' };
    return this.api.send(this.token, method, `/scim/v2${path}`, body, { ...type, ...headers });
  }

  /** The same at another replica. */
  at(service: TestService): Provider {
    return new Provider(ScimApi.at(service), this.connection, this.token);
  }

  /** The body of the answer to a call that must succeed. */
  async done<T = Resource>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.text === '' ? undefined : JSON.parse(answer.text)) as T;
  }

  create(user: object): Promise<Resource> {
    return this.done('POST', '/Users', { schemas: [CORE], ...user });
  }

  list(query: Record<string, string> = {}): Promise<List> {
    return this.done('GET', `/Users?${new URLSearchParams(query).toString()}`);
  }

  patch(id: string, ...operations: object[]): Promise<Answer> {
    return this.call('PATCH', `/Users/${encodeURIComponent(id)}`, { schemas: [PATCH_OP], Operations: operations });
  }

  /** The status and, in SCIM's form, the type of a refusal. */
  async refusal(method: string, path: string, body?: unknown, headers?: object): Promise<string> {
    const { status, text } = await this.call(method, path, body, headers);
    const error = (text === '' ? {} : JSON.parse(text)) as { status?: unknown; scimType?: string; detail?: string };
    if (status >= 400) expect(error).toMatchObject({ status: String(status), detail: expect.any(String) });
    return [status, error.scimType].filter(Boolean).join(' ');
  }
}
