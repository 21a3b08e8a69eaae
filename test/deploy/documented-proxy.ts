import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf } from '../support/postgres-tools';
import { eventually } from '../support/eventually';

const PAGE = readFileSync(join(__dirname, '../../docs/proxies.md'), 'utf8');

export type ProxyName = 'nginx' | 'haproxy';

/** What docs/proxies.md shows, as it stands there. */
function documented(language: ProxyName): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
}

/** A proxy with the configuration of docs/proxies.md, on other ports and with a certificate of its own. */
export class DocumentedProxy {
  private output = '';
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly port: number,
  ) {
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += String(text)));
  }

  static async start(name: ProxyName, port: number, services: [number, number]): Promise<DocumentedProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    makeCertificate(folder);
    const configuration = documented(name)
      .replaceAll('/etc/ssl', folder)
      .replace(/\b443\b/, String(port))
      .replace('3001', String(services[0]))
      .replace('3002', String(services[1]));
    const file = join(folder, 'configuration');
    writeFileSync(file, name === 'nginx' ? aroundServer(configuration, folder) : configuration);
    const args = name === 'nginx' ? ['-p', folder, '-c', file, '-g', 'daemon off;'] : ['-db', '-f', file];
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const proxy = new DocumentedProxy(spawn(pathOf(name) as string, args, { stdio: [...stdio] }), folder, port);
    await proxy.listening();
    return proxy;
  }

  private async listening(): Promise<void> {
    const isOver = () => this.child.exitCode !== null;
    await eventually(() => answersAt(this.port), { isOver }).catch((cause: unknown) => {
      this.stop();
      throw new Error(`The proxy does not listen:\n${this.output}`, { cause });
    });
  }

  stop(): void {
    this.child.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function answersAt(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()));
    socket.on('error', reject);
  });
}

/** The files that the configurations name. */
function makeCertificate(folder: string): void {
  const [key, certificate] = ['key', 'pem'].map((suffix) => join(folder, `intranet.example.com.${suffix}`)) as [
    string,
    string,
  ];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=intranet.example.com'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const both = readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8');
  writeFileSync(join(folder, 'intranet.example.com.both.pem'), both);
}

/** What Debian's nginx.conf has around it, in a folder of its own. */
function aroundServer(configuration: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/pid;
    error_log stderr warn;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${configuration}
    }`;
}

/** A suite behind a proxy, which is skipped with a message if the proxy or the browser is not there. */
export function missingFor(name: ProxyName, browser: string | undefined): string | undefined {
  if (pathOf(name) === undefined) return `needs ${name}: install Debian's ${name === 'nginx' ? 'nginx-light' : name}`;
  return browser !== undefined && existsSync(browser) ? undefined : 'needs a browser';
}
