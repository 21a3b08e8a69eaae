/** @throws RangeError for an option that does not exist, because the test would then run without what it asks for */
export function refuseUnknownNames<Options extends object>(
  sentence: string,
  given: Options,
  names: Readonly<Record<keyof Options, true>>,
): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined) {
    throw new RangeError(`${sentence} no option ${unknown}. There are ${Object.keys(names).join(', ')}.`);
  }
}
