import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** The service in a process of its own, started as production starts it. */
export class ServiceProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Resolves once it has migrated the database and listens. */
  static async start(databaseUrl: string, jwtSecret: string): Promise<ServiceProcess> {
    const child = spawn(process.execPath, ['dist/main.js'], {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT: '0',
        LOG_LEVEL: 'silent',
        FAIR_USE_PER_CALLER: '0',
        DATABASE_URL: databaseUrl,
        JWT_SECRET: jwtSecret,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /http:\/\/[^/]+/.exec(line)?.[0];
      if (url) return new ServiceProcess(child, url);
    }
    throw new Error('The service ended before it listened.');
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}
