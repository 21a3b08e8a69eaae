/** Whether a caller who wrote this name meant the parameter: in brackets, or with other case, hyphens, underscores or white space. */
export function isSpellingOf(parameter: string, name: string): boolean {
  return plain(name.split('[', 1)[0] ?? '') === plain(parameter);
}

function plain(name: string): string {
  return name.replaceAll(/[-_\s]/g, '').toLowerCase();
}
