/** Whether a caller who wrote this name meant the parameter: in brackets, in another case, or with other characters, as in `??dryRun`. */
export function isSpellingOf(parameter: string, name: string): boolean {
  return plain(name.split('[', 1)[0] ?? '') === plain(parameter);
}

function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}
