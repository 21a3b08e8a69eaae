import { hasMoreStructureThan } from '../src/body-structure';

/** The least limit that permits a text. */
function structureOf(text: string): number {
  const bytes = Buffer.from(text);
  let limit = 0;
  while (hasMoreStructureThan(limit, bytes)) limit++;
  return limit;
}

it.each<[string, number]>([
  ['', 0],
  ['7', 0],
  ['[]', 1],
  ['[[],[[]]]', 4],
  ['[[[[', 4],
  ['{"a":1,"b":{"c":[]}}', 6],
  ['["[","{",":","]"]', 1],
  [String.raw`["\"[[[","\\",[],"\\\"[",{}]`, 3],
  ['["é[","😀{",[]]', 2],
  ['\ufeff[]', 1],
  [']]]][', 1],
  ['"[[[[[', 0],
])('%s has %i structural elements', (text, structure) => {
  expect(structureOf(text)).toBe(structure);
});
