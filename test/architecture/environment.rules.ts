import ts from 'typescript';
import { folderOf, nodesOf, type SourceFile } from './source-tree';

/** Files outside of `config` that look at the environment, by `process.env`, `process['env']` or an import of it. */
export function environmentReaders(sources: SourceFile[]): string[] {
  return sources
    .filter(({ path, syntax }) => folderOf(path) !== 'config' && [...nodesOf(syntax)].some(readsEnvironment))
    .map(({ path }) => path);
}

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isProcess(node.expression) && node.name.text === 'env';
  if (ts.isElementAccessExpression(node)) return isProcess(node.expression);
  if (ts.isVariableDeclaration(node)) return node.initializer !== undefined && isProcess(node.initializer);
  if (ts.isImportDeclaration(node)) {
    return /^(node:)?process$/.test((node.moduleSpecifier as ts.StringLiteral).text);
  }
  return false;
}

function isProcess(node: ts.Expression): boolean {
  return /^(globalThis\.|global\.)?process$/.test(node.getText());
}

/** The names that are asked of the environment's reader: `env.text('PORT')`. */
export function variablesRead(sources: SourceFile[]): string[] {
  const names = sources.flatMap(({ syntax }) =>
    [...nodesOf(syntax)].flatMap((node) => {
      if (!ts.isCallExpression(node)) return [];
      // Either of the reader itself, or of a function that is given it.
      const { expression, arguments: given } = node;
      const ofReader = ts.isPropertyAccessExpression(expression) && expression.expression.getText() === 'env';
      const name = ofReader ? given[0] : given[0]?.getText() === 'env' ? given[1] : undefined;
      return name && ts.isStringLiteral(name) && /^[A-Z][A-Z0-9_]*$/.test(name.text) ? [name.text] : [];
    }),
  );
  return [...new Set(names)].sort();
}
