import { addressesOf, wordsOf } from '../finding/search-of.ts';

/**
 * The addresses and ids of a text, each once, as they come out of a mail or a sheet: one a line, or between commas, semicolons, tabs and
 * blanks, in quotes, or as `Ada <ada@b.example>`.
 */
export function readList(text: string): string[] {
  const found = text.split(/[\r\n]+/).flatMap((line) => {
    const addresses = addressesOf(line);
    return addresses.length > 0 ? addresses : wordsOf(line);
  });
  return [...new Set(found)];
}
