import { builtinModules } from 'node:module';
import type { SourceFile } from './source-tree';

/** Every file that reaches itself through its imports, with the way. */
export function importCycles(sources: SourceFile[]): string[] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: string[]): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' -> '));
    if (way.includes(path) || done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return cycles;
}

/** Packages that the sources import and an installation for production (`npm ci --omit=dev`) does not have. */
export function undeclaredPackages(sources: SourceFile[], dependencies: readonly string[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, specifier, typeOnly }) => target === undefined && !typeOnly && !isBuiltIn(specifier))
      .map(({ specifier }) => packageName(specifier))
      .filter((name) => !dependencies.includes(name))
      .map((name) => `${path} imports ${name}`),
  );
}

function isBuiltIn(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
