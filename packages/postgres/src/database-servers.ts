import { Client, type ClientConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { hasSystemRoots, problemsOfDatabaseUrl, serversIn } from './database-url.rules';
import { readSecretText } from './secret-text';
import { type DatabasePasswords, findPassword, type PasswordFor } from './database-passwords';

const KEEP_ALIVE_AFTER_MS = 10_000;

/** The address of the database and the credentials of this process. */
export interface DatabaseLocation {
  /** One host or several, see {@link serversIn}. */
  url: string;
  /** A file with the URL. It replaces `url` whenever it can be read. */
  urlFile?: string | undefined;
  passwords?: DatabasePasswords | undefined;
  /** False if a server that cannot write is sufficient. */
  mustWrite?: boolean;
}

/** The servers that a URL names, and the one that new connections use. */
export class DatabaseServers {
  private chosen = 0;

  /** Really private, because a logged error can show its connection, and the URL can contain a password. */
  readonly #location: DatabaseLocation;

  constructor(location: DatabaseLocation) {
    this.#location = location;
  }

  get mustWrite(): boolean {
    return this.#location.mustWrite ?? true;
  }

  get urls(): readonly string[] {
    return serversIn(this.text());
  }

  /** Their hosts and ports, for the log. */
  get names(): string {
    return this.urls.map(nameOf).join(', ');
  }

  /** @returns whether the choice changed */
  choose(index: number): boolean {
    const isOther = index !== this.chosen;
    this.chosen = index;
    return isOther;
  }

  /** The configuration of `pg` for a server. Files are read each time, so passwords and certificates can change. */
  configOf(url = this.chosenUrl): ClientConfig {
    const { passwords } = this.#location;
    const config = parseIntoClientConfig(forPg(url));
    return {
      application_name: 'user-administration',
      // On an idle connection, the operating system checks whether the other side still exists.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...config,
      // `pg` binds if the server offers it, so `require` is kept as `prefer` behind a pooler, which offers none.
      enableChannelBinding: ['prefer', 'require'].includes(new URL(url).searchParams.get('channel_binding') ?? ''),
      // `pg` calls it with the parameters of the connection, which its type does not declare.
      ...(!config.password &&
        passwords && { password: ((server: PasswordFor) => findPassword(passwords, server)) as () => Promise<string> }),
    };
  }

  private get chosenUrl(): string {
    const { urls } = this;
    return urls[this.chosen] ?? urls[0] ?? this.#location.url;
  }

  private text(): string {
    const { url, urlFile } = this.#location;
    if (urlFile === undefined) return url;
    try {
      const current = readSecretText(urlFile);
      // What would be refused at a start does not replace what has been accepted.
      return problemsOfDatabaseUrl(current).length === 0 ? current : url;
    } catch {
      return url;
    }
  }
}

/**
 * `pg` takes any `sslrootcert` for a file, and trusts Node's authorities without one. It would encrypt with
 * `sslmode=allow`, by which libpq does so only if the server refuses to go without.
 */
function forPg(url: string): string {
  const parsed = new URL(url);
  const { searchParams } = parsed;
  if (searchParams.get('sslmode') === 'allow') searchParams.set('sslmode', 'disable');
  else if (hasSystemRoots(searchParams)) {
    searchParams.set('sslmode', 'verify-full');
    searchParams.delete('sslrootcert');
  } else return url;
  return parsed.href;
}

/** `pg` fills in what the URL leaves out, by libpq's variables as well. */
function nameOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const client = new Client({
    host: searchParams.get('host') ?? decodeURIComponent(hostname),
    port: Number(searchParams.get('port') ?? port),
  });
  return `${client.host}:${client.port}`;
}
