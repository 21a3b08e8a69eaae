/** @throws RangeError for an option that does not exist, because the test would then run without what it asks for */
export function refuseUnknownNames<Options extends object>(
  sentence: string,
  given: Options,
  names: Readonly<Record<keyof Options, true>>,
  what = 'option',
): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const known = Object.keys(names);
  const others = known.length === 0 ? 'There are none.' : `There are ${known.join(', ')}.`;
  throw new RangeError(`${sentence} no ${what} ${unknown.slice(0, 100)}. ${others}`);
}
