import ts from 'typescript';
import { folderOf, nodesOf, type SourceFile } from './source-tree';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const CATCH_ALL = ['util', 'utils', 'common', 'shared', 'helper', 'helpers', 'misc', 'lib'];

/** The role of a class, by its decorator or interface, which its file name must contain. */
const ROLES: Readonly<Record<string, string>> = {
  Module: 'module',
  Controller: 'controller',
  Entity: 'entity',
  Catch: 'filter',
  CanActivate: 'guard',
  NestInterceptor: 'interceptor',
  PipeTransform: 'pipe',
};

/** Files and folders that are not named `kebab-case.role.ts`. */
export function misnamedFiles(sources: SourceFile[]): string[] {
  return sources.map(({ path }) => path).filter((path) => !path.split('/').every(isWellNamed));
}

function isWellNamed(part: string): boolean {
  const [name = '', role, ...rest] = part.replace(/\.ts$/, '').split('.');
  return KEBAB.test(name) && (role === undefined || KEBAB.test(role)) && rest.length === 0;
}

/** Names of files and folders that do not describe the contents. */
export function catchAlls(sources: SourceFile[]): string[] {
  return sources.map(({ path }) => path).filter((path) => path.split(/[/.]/).some((part) => CATCH_ALL.includes(part)));
}

/** Classes whose file name does not contain their role. */
export function misplacedRoles(sources: SourceFile[]): string[] {
  return sources.flatMap(({ path, syntax }) =>
    [...nodesOf(syntax)]
      .filter((node) => ts.isClassDeclaration(node))
      .flatMap((node) => rolesOf(node))
      .filter((role) => !path.endsWith(`.${role}.ts`))
      .map((role) => `${path} should be named .${role}.ts`),
  );
}

function rolesOf(node: ts.ClassDeclaration): string[] {
  const decorators = (ts.getDecorators(node) ?? []).map(({ expression }) =>
    ts.isCallExpression(expression) ? expression.expression.getText() : expression.getText(),
  );
  const implemented = (node.heritageClauses ?? [])
    .filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression.getText()));
  return [...decorators, ...implemented].flatMap((name) => (Object.hasOwn(ROLES, name) ? (ROLES[name] ?? []) : []));
}

/** An entry that tells of a record, and the beginning of a statement that writes one. */
const RECORD_CHANGE =
  /^(action: '(user|workspace|group|permission)\.(created|updated|renamed|deleted)'|['"`]INSERT INTO (users|workspaces|groups|permissions)\b)/;
/** Where changes are described, and sets of records written. */
const APART = ['contract', 'openapi', 'database', 'plugins/transfer'];

/** Changes of single records that stand in more than one file: each is one use case, whichever door it comes through. */
export function repeatedChanges(sources: SourceFile[]): string[] {
  const found = new Map<string, Set<string>>();
  for (const { path, syntax } of sources.filter(({ path }) => !APART.includes(folderOf(path))))
    for (const node of nodesOf(syntax)) {
      if (!ts.isPropertyAssignment(node) && !ts.isLiteralExpression(node)) continue;
      const [change] = RECORD_CHANGE.exec(node.getText()) ?? [];
      if (change) found.set(change, (found.get(change) ?? new Set()).add(path));
    }
  return [...found]
    .filter(([, paths]) => paths.size > 1)
    .map(([change, paths]) => `${change} in ${[...paths].join(', ')}`);
}
