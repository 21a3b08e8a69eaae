import ts from 'typescript';
import { nodesOf, type SourceFile } from './source-tree';

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
