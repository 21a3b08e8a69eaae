import type { Transcript } from './transcript';

export const ASSIGN = '/api/users/workspace-assign';
export const MANAGE = '/api/users/manage-status';

/** Calls the service like any caller, and records requests and answers. */
export class DemoCalls {
  constructor(
    private readonly url: string,
    private readonly transcript: Transcript,
  ) {}

  /** @returns the status and the body, as text: `200 {"status":200,...}` */
  async post(path: string, body: object, options: { token: string; language?: string }): Promise<string> {
    const headers = {
      Authorization: `Bearer ${options.token}`,
      ...(options.language && { 'Accept-Language': options.language }),
      'Content-Type': 'application/json',
    };
    const text = JSON.stringify(body);
    this.transcript.request(
      `$ curl ${this.url}${path} \\`,
      ...Object.entries(headers).map(([name, value]) => `    -H '${name}: ${shortened(value)}' \\`),
      `    -d '${shortened(text)}'`,
    );
    const { signal } = this.transcript;
    const response = await fetch(`${this.url}${path}`, { method: 'POST', headers, body: text, signal });
    const answer = `${response.status} ${await response.text()}`;
    this.transcript.answer(answer);
    return answer;
  }
}

/** Tokens are long, and their ends distinguish them. */
function shortened(text: string): string {
  return text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => `${token.slice(0, 8)}…${token.slice(-6)}`);
}
