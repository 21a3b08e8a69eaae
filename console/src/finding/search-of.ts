const ADDRESS = /<([^<>\s]+@[^<>\s]+)>/g;
const EDGES = /^["'\u2018-\u201F«»<(]+|["'\u2018-\u201F«»>)]+$/g;

/** The addresses in `Ada <ada@b.example>`. */
export const addressesOf = (text: string): string[] =>
  [...text.matchAll(ADDRESS)].map(([, address = '']) => address.replace(/^mailto:/i, ''));

/** Without what stands around words and addresses in a mail or a sheet. */
export const wordsOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((word) => word.replace(EDGES, '').replace(/^mailto:/i, ''))
    .filter(Boolean);

/** What is looked for where somebody has pasted `Rossi, Priya`, `a@b.example;`, something in quotes or `Ada <a@b.example>`. */
export const searchOf = (text: string): string => addressesOf(text)[0] ?? (wordsOf(text).join(' ') || text.trim());

/** Whether a text is a list: of several lines, or of several addresses. */
export const isList = (text: string): boolean =>
  text.split(/[\r\n]+/).filter((line) => line.trim()).length > 1 ||
  wordsOf(text).filter((word) => /.@./.test(word)).length > 1;
