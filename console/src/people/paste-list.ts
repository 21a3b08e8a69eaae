const QUOTES = /^["'\u2018-\u201F«»<(]+|["'\u2018-\u201F«»>)]+$/g;
const ADDRESS = /<([^<>\s]+@[^<>\s]+)>/g;

/**
 * The addresses and ids of a text, each once, as they come out of a mail or a sheet: one a line, or between commas, semicolons, tabs and
 * blanks, in quotes, or as `Ada <ada@b.example>`.
 */
export function readList(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split(/[\r\n]+/)) {
    const addresses = [...line.matchAll(ADDRESS)].map(([, address = '']) => address);
    if (addresses.length > 0) found.push(...addresses);
    else
      found.push(
        ...line.split(/[,;\t\s]+/).map((each) =>
          each
            .trim()
            .replace(QUOTES, '')
            .replace(/^mailto:/i, ''),
        ),
      );
  }
  return [...new Set(found.filter(Boolean))];
}
