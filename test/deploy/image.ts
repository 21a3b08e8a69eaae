import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathOf } from '../support/postgres-tools';

/** What the stages of Containerfile run, and Node.js. */
const PROGRAMS = ['node', 'sh', 'tar', 'gzip', 'mkdir'];
const USER = '10001';

interface ImageConfig {
  User: string;
  StopSignal: string;
  Entrypoint: string[];
  Cmd: string[];
  ExposedPorts: Record<string, object>;
  Healthcheck: { Test: string[] };
}

/** Images that buildah makes in a storage of their own, on a base that has only files of this machine. */
export class Images {
  private readonly folder = mkdtempSync(join(tmpdir(), 'images-'));
  private container = '';

  /** Why there can be no images here, or undefined. */
  whyNot(): string | undefined {
    if (pathOf('buildah') === undefined) return `needs buildah: install Debian's buildah`;
    try {
      this.makeBase();
      return undefined;
    } catch (error) {
      const reason = String((error as { stderr?: unknown }).stderr ?? error).trim();
      return `needs a user who may run containers: ${reason.split('\n').at(-1)}`;
    }
  }

  /** Builds Containerfile in this folder, as a whole or to a target, and makes a container of the image. */
  build(context: string, target?: string): ImageConfig {
    const from = ['--pull-never', '--format', 'docker', '--build-arg', 'BASE=localhost/base'];
    const image = `localhost/${target ?? 'service'}`;
    const to = target === undefined ? [] : ['--target', target];
    this.buildah('bud', '--quiet', '--isolation', 'chroot', ...from, ...to, '--tag', image, context);
    this.container = this.buildah('from', '--pull-never', image);
    const inspected = JSON.parse(this.buildah('inspect', '--type', 'image', image)) as {
      Docker: { config: ImageConfig };
    };
    // Makes the folders that chroot itself mounts.
    this.run(['node', '--version']);
    return inspected.Docker.config;
  }

  /** Runs a program in the container to its end. It fails if the program does. */
  run(command: string[], environment: Record<string, string> = {}): string {
    return this.buildah(...this.running(command, environment));
  }

  /** A program that takes the place of Node.js, and runs what the image starts. */
  program(command: string[], environment: Record<string, string>, user?: string): string {
    const path = join(this.folder, 'program');
    const args = this.running(command, environment, user).map((argument) => `'${argument}'`);
    const line = `exec buildah ${this.storage().join(' ')} ${args.join(' ')}`;
    writeFileSync(path, `#!/bin/sh\n${line.replace("'PORT='", 'PORT="$PORT"')}\n`, { mode: 0o755 });
    return path;
  }

  /** Every file and folder, when it was changed, and whose it is. What chroot itself mounts is left out. */
  files(): string[] {
    const mounts = ['dev', 'proc', 'run', 'sys'].flatMap((name) => ['-path', `./${name}`, '-o']).slice(0, -1);
    const args = ['.', '-mindepth', '1', '(', ...mounts, ')', '-prune', '-o', '-printf', '%p %T@ %s %u %m\n'];
    const found = execFileSync('find', args, { cwd: this.root(), encoding: 'utf8', maxBuffer: 10_000_000 });
    return found.trim().split('\n').sort();
  }

  /** The folder with the files of the container. */
  root(): string {
    return this.buildah('mount', this.container);
  }

  remove(): void {
    if (this.container) this.buildah('rm', '--all');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private makeBase(): void {
    const root = join(this.folder, 'base');
    for (const name of PROGRAMS) {
      const program = realpathSync(name === 'node' ? process.execPath : (pathOf(name) as string));
      const libraries = execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
      mkdirSync(join(root, 'bin'), { recursive: true });
      copyFileSync(program, join(root, 'bin', name));
      for (const library of libraries) {
        mkdirSync(join(root, dirname(library)), { recursive: true });
        cpSync(library, join(root, library), { dereference: true });
      }
    }
    mkdirSync(join(root, 'tmp'), { mode: 0o1777 });
    this.container = this.buildah('from', 'scratch');
    this.buildah('add', '--quiet', this.container, root, '/');
    this.buildah('config', '--env', 'PATH=/bin', this.container);
    this.run(['node', '--version']);
    this.buildah('commit', '--quiet', '--rm', this.container, 'localhost/base');
    rmSync(root, { recursive: true });
  }

  private running(command: string[], environment: Record<string, string>, user = USER): string[] {
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return ['run', '--isolation', 'chroot', '--user', user, ...variables, this.container, '--', ...command];
  }

  private storage(): string[] {
    return ['--root', join(this.folder, 'storage'), '--runroot', join(this.folder, 'run')];
  }

  private buildah(...args: string[]): string {
    return execFileSync('buildah', [...this.storage(), ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  }
}
