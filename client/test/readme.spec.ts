import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { UserAdministrationClient } from '../src/user-administration-client';

const CLIENT = join(__dirname, '..');
const ROOT = join(CLIENT, '..');

/** Declarations that the snippets rely on. */
const GIVEN = `
import type { JournalEntry, UserAdministrationClient } from 'user-administration-client';
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

/** The errors of the compiler for files in memory, with the settings of this project. */
function complaintsOf(files: Map<string, string>): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const own = 'user-administration-client';
  const all: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    noUnusedLocals: false,
    paths: { [own]: [join(CLIENT, 'src/index.ts')], [`${own}/*`]: [join(CLIENT, 'src/*/index.ts')] },
  };
  const host = ts.createCompilerHost(all);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([...files.keys()], all, host);
  return [...files.keys()]
    .flatMap((path) => ts.getPreEmitDiagnostics(program, program.getSourceFile(path)))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}

describe('the README of the client', () => {
  it('has snippets that compile unchanged', () => {
    expect(snippets.length).toBeGreaterThan(12);
    // ES modules, so that top-level await is allowed.
    const files = new Map(
      snippets.map((code, n) => [join(CLIENT, 'test', `snippet-${n}.mts`), `${code}\nexport {};\n`]),
    );
    files.set(join(CLIENT, 'test', 'given.mts'), GIVEN);
    expect(complaintsOf(files)).toEqual([]);
  }, 120_000);

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

/** The public methods. Private methods are excluded by name. */
function methodsOf(group: object): string[] {
  const internal = ['constructor', 'bulk', 'path'];
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
