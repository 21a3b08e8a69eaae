import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** A source file as the compiler reads it. */
export interface SourceFile {
  /** Below the folder of the sources, with `/`: `users/users.module.ts`. */
  path: string;
  lines: number;
  syntax: ts.SourceFile;
  imports: Import[];
}

/** Anything that names another module: `import`, `export from`, `import()`, `require()` and types by `import('...')`. */
export interface Import {
  /** As it is written: `../auth/caller`, or `typeorm`. */
  specifier: string;
  /** Gone after compilation. */
  typeOnly: boolean;
  /** The file that a relative specifier means, below the folder of the sources. */
  target: string | undefined;
}

export const PROJECT = join(__dirname, '..', '..');

/** The packages beside the service, each read as a folder of it. */
const PACKAGES = ['access-tokens', 'http', 'pglite-server', 'postgres', 'scim-protocol', 'testing'];

/** The sources of the service, and those of the packages. */
export function readSources(): SourceFile[] {
  const packages = PACKAGES.flatMap((name) =>
    Object.entries(textsIn(`packages/${name}/src`)).map(([path, text]): [string, string] => [
      `${name}/${path}`,
      text.replaceAll('../../../src/', '../'),
    ]),
  );
  return parseAll({ ...textsIn('src'), ...Object.fromEntries(packages) });
}

/** The files of a folder, by their paths below it. */
export function textsIn(folder: string): Record<string, string> {
  const root = join(PROJECT, folder);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Sources from text, by path, for the tests of a rule. */
export function parseAll(texts: Record<string, string>): SourceFile[] {
  return Object.entries(texts).map(([path, text]) => {
    const file = path.replaceAll('\\', '/');
    const syntax = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return { path: file, lines: text.trimEnd().split('\n').length, syntax, imports: importsOf(file, syntax) };
  });
}

/** The top folder of a file (of a plugin with `plugins/`), or `.` for one that stands beside the folders. */
export function folderOf(path: string): string {
  const [, folder = '.'] = /^(plugins\/[^/]+|[^/]+)\//.exec(path) ?? [];
  return folder;
}

/** Every node of a file, from the outside in. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

function importsOf(path: string, syntax: ts.SourceFile): Import[] {
  return [...nodesOf(syntax)].flatMap((node) => {
    const found = importIn(node);
    if (!found) return [];
    const { specifier, typeOnly } = found;
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
    return [{ specifier, typeOnly, target: target && (/\.(tsx?|json)$/.test(target) ? target : `${target}.ts`) }];
  });
}

function importIn(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node)) {
    return named(node.moduleSpecifier, node.importClause !== undefined && isTypeOnly(node.importClause));
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return named(node.moduleSpecifier, node.isTypeOnly);
  }
  if (ts.isExternalModuleReference(node)) return named(node.expression, false);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return named(node.argument.literal, true);
  const loads =
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  return loads ? named(node.arguments[0], false) : undefined;
}

/** `import type { A }`, and `import { type A, type B }`. */
function isTypeOnly(clause: ts.ImportClause): boolean {
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

function named(node: ts.Node | undefined, typeOnly: boolean): { specifier: string; typeOnly: boolean } | undefined {
  return node && ts.isStringLiteralLike(node) ? { specifier: node.text, typeOnly } : undefined;
}
