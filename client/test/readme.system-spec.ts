import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserAdministrationClient } from '../src/user-administration-client';

const CLIENT = join(__dirname, '..');
const ROOT = join(CLIENT, '..');

/** Declarations that the snippets rely on. */
const GIVEN = `
import type { JournalEntry, UserAdministrationClient } from '@user-administration/client';
declare global {
  const client: UserAdministrationClient;
  const secret: string;
  const store: {
    read(): Promise<string | undefined>;
    write(cursor: string): Promise<void>;
    note(entry: JournalEntry): Promise<void>;
  };
}
`;

const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8');
const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

const compile = promisify(execFile);

/** What the compiler says about these modules, with the settings of this project and without a build of the client. */
async function complaintsOf(modules: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const own = '@user-administration/client';
    const settings = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        rootDir: '/',
        noUnusedLocals: false,
        paths: { [own]: [join(CLIENT, 'src/index.ts')], [`${own}/*`]: [join(CLIENT, 'src/*/index.ts')] },
      },
      include: ['*.mts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    // ES modules, so that top-level await is allowed.
    modules.forEach((code, n) => writeFileSync(join(folder, `${n}.mts`), `${code}\nexport {};\n`));
    const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const { stdout } = await compile(process.execPath, [compiler, '-p', folder, '--noEmit']).catch(
      // A compiler that does not run prints nothing there, but the message always says that it failed.
      ({ message, stdout }: { message: string; stdout: string }) => ({ stdout: `${message}\n${stdout}` }),
    );
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the README of the client', () => {
  it('has snippets that compile unchanged', async () => {
    expect(snippets.length).toBeGreaterThan(12);
    expect(await complaintsOf([...snippets, GIVEN])).toBe('');
  });

  it('lists every method of the client, and no other', () => {
    const client = new UserAdministrationClient({ baseUrl: 'http://users.example', token: 'token' });
    const [, table = ''] = /^\| group \| methods \|\n([\s\S]*?)\n\n/m.exec(readme) ?? [];
    const rows = [...table.matchAll(/^\| (`client.*) \| (.*) \|$/gm)];
    const named = rows.flatMap(([, groups = '', methods = '']) =>
      wordsOf(groups).flatMap((group) => wordsOf(methods).map((method) => `${group}.${method}`)),
    );
    const groups = Object.entries(client).filter(([name]) => name !== 'service') as [string, object][];
    const there = [
      ...groups.flatMap(([name, group]) => methodsOf(group).map((it) => `client.${name}.${it}`)),
      'client.access',
      'client.me',
    ];
    expect(named.sort()).toEqual(there.sort());
  });

  it('lists every code of the package', () => {
    const source = readFileSync(join(CLIENT, 'src/error-codes.ts'), 'utf8');
    const codes = [...source.matchAll(/'(client\.\w+)'/g)].map(([, code = '']) => code);
    expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });
});

function wordsOf(cell: string): string[] {
  return [...cell.matchAll(/`([\w.]+)`/g)].map(([, word = '']) => word);
}

/** The public methods. Others are excluded by name. */
function methodsOf(group: object): string[] {
  const internal = ['constructor', 'bulk', 'path', 'deleteWith'];
  const names: string[] = [];
  for (
    let proto = Object.getPrototypeOf(group) as object;
    proto !== Object.prototype;
    proto = Object.getPrototypeOf(proto) as object
  ) {
    names.push(...Object.getOwnPropertyNames(proto));
  }
  return [...new Set(names)].filter((name) => !internal.includes(name));
}
