/** Calls the service like any caller, and shows requests and answers. */
export class Calls {
  #url;
  #transcript;

  constructor(url, transcript) {
    this.#url = url;
    this.#transcript = transcript;
  }

  /** @returns the status and the body, as text: `200 {"status":200,...}` */
  post(path, body, caller) {
    return this.send('POST', path, body, caller);
  }

  async send(method, path, body, { token, language }) {
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(language && { 'Accept-Language': language }),
      'Content-Type': 'application/json',
    };
    const text = JSON.stringify(body);
    this.#transcript.request(
      `$ curl ${method === 'POST' ? '' : `-X ${method} `}${this.#url}${path} \\`,
      ...Object.entries(headers).map(([name, value]) => `    -H '${name}: ${shortened(value)}' \\`),
      `    -d '${shortened(text)}'`,
    );
    const response = await this.#fetch(path, { method, headers, body: text });
    const answer = `${response.status} ${await response.text()}`;
    this.#transcript.answer(shortened(answer).trimEnd());
    return answer;
  }

  /** All users with their places, as rows for {@link tableOf}. */
  async users(token) {
    const get = async (path) => (await this.#fetch(path, { headers: { Authorization: `Bearer ${token}` } })).json();
    const { users } = await get('/api/users');
    return Promise.all(
      users.map(async ({ id, type, status }) => {
        const { memberships } = await get(`/api/users/${id}/memberships`);
        const ids = (records) => records.map((record) => record.id).join(' ');
        const workspaces = ids(memberships.map(({ workspace }) => workspace));
        return { user: id, type, status, workspaces, groups: ids(memberships.flatMap(({ groups }) => groups)) };
      }),
    );
  }

  #fetch(path, options) {
    return fetch(this.#url + path, { ...options, signal: this.#transcript.signal });
  }
}

/** Tokens are long, and their ends distinguish them. */
function shortened(text) {
  return text.replace(
    /eyJ[\w-]+\.[\w-]+\.[\w-]+|scim_[\w-]{43}/g,
    (token) => `${token.slice(0, 8)}…${token.slice(-6)}`,
  );
}

/** The rows as aligned columns under their names. */
export function tableOf(rows) {
  const names = Object.keys(rows[0]);
  const cells = [names, ...rows.map((row) => names.map((name) => row[name] || '-'))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
