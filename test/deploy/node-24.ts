import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Installed once for each `npm ci` and worker of Jest: two installations at once in one folder would meet half of each other. */
const FOLDER = join(__dirname, `../../node_modules/.cache/node-24-${process.env.JEST_WORKER_ID}`);

/** Downloads take as long as they take. */
export const INSTALLS_WITHIN_MS = 600_000;

/** A Node.js 24, which can do what Node.js 20 cannot, and the folder where it has installed packages. */
export function node24(packages: string[] = []): { node: string; folder: string } {
  mkdirSync(FOLDER, { recursive: true });
  const manifest = join(FOLDER, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }');
  const node = join(FOLDER, 'node_modules/node/bin/node');
  install(['node@24'], process.execPath);
  install(packages, node);
  return { node, folder: FOLDER };
}

/** With the npm of this machine, which chooses what fits the version of Node.js that runs it. */
function install(packages: string[], node: string): void {
  const missing = packages.filter((name) => !existsSync(join(FOLDER, 'node_modules', name.replace(/(.)@.*/, '$1'))));
  if (missing.length === 0) return;
  // npm passes the settings of this project on to the programs that it runs.
  const settings = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  execFileSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', ...missing], {
    cwd: FOLDER,
    env: {
      ...process.env,
      ...Object.fromEntries(settings.map((name) => [name, undefined])),
      PATH: [dirname(node), process.env.PATH].join(delimiter),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
