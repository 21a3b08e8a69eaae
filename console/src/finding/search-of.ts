const ADDRESS = /<([^<>\s]+@[^<>\s]+)>/;
const EDGES = /^["'\u2018-\u201F«»<(]+|["'\u2018-\u201F«»>)]+$/g;

/** What is looked for where somebody has pasted `Rossi, Priya`, `a@b.example;`, something in quotes or `Ada <a@b.example>`. */
export function searchOf(text: string): string {
  const words = text
    .trim()
    .replace(/^mailto:/i, '')
    .split(/[\s,;]+/)
    .map((word) => word.replace(EDGES, ''));
  return ADDRESS.exec(text)?.[1] ?? (words.filter(Boolean).join(' ') || text.trim());
}

/** The lines of a text, if it has several. */
export function severalLines(text: string): string | undefined {
  return text.split(/[\r\n]+/).filter((line) => line.trim()).length > 1 ? text : undefined;
}
