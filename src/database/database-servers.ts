import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { DatabasePasswords } from '../config/config';
import { serversIn } from '../config/database-url.rules';
import { findPassword } from './database-passwords';
import type { PasswordFor } from './pass-file';

const KEEP_ALIVE_AFTER_MS = 10_000;

/** Where the database is, and who this process is to it. */
export interface DatabaseLocation {
  /** One host or several, see {@link serversIn}. */
  url: string;
  /** A file with the URL, which counts in place of `url` whenever it can be read. */
  urlFile?: string | undefined;
  /** Where the password is, if not in the URL. */
  passwords?: DatabasePasswords | undefined;
}

/** The servers that a URL names, and the one of them that new connections lead to. */
export class DatabaseServers {
  private chosen = 0;

  constructor(private readonly location: DatabaseLocation) {}

  /** One URL for each server. */
  get urls(): readonly string[] {
    const urls = serversIn(this.text());
    return urls.length > 0 ? urls : serversIn(this.location.url);
  }

  /** What `pg` connects to the chosen server with. Files are read anew, so that passwords and certificates can be changed. */
  config(): ClientConfig {
    const { urls } = this;
    return this.configOf(urls[this.chosen] ?? urls[0] ?? this.location.url);
  }

  /** @returns whether another server was chosen before */
  choose(index: number): boolean {
    const isOther = index !== this.chosen;
    this.chosen = index;
    return isOther;
  }

  configOf(url: string): ClientConfig {
    const { passwords } = this.location;
    const config = parseIntoClientConfig(url);
    return {
      application_name: 'user-administration',
      // Without a sign of life, the system asks whether the other side is still there.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...config,
      ...(!config.password && passwords && { password: passwordFunction(passwords) }),
    };
  }

  private text(): string {
    const { url, urlFile } = this.location;
    if (urlFile === undefined) return url;
    try {
      return readFileSync(urlFile, 'utf8').trim();
    } catch {
      return url;
    }
  }
}

/** `pg` calls it with the parameters of the connection, which its type does not say. */
function passwordFunction(passwords: DatabasePasswords): () => Promise<string> {
  const find = (server: PasswordFor): Promise<string> => findPassword(passwords, server);
  return find as () => Promise<string>;
}
