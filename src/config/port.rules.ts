const MAX_PORT = 65_535;

/** The TCP port in a text; 0 stands for any free port. Undefined if the text is no port. */
export function readPort(text: string): number | undefined {
  return /^\d+$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : undefined;
}
