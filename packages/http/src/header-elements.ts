/**
 * How much of a header is read. Legitimate headers are far shorter. Of a longer one only the beginning counts, so a
 * hostile header costs no more than an ordinary one.
 */
const MAX_LENGTH = 1_000;
const MAX_ELEMENTS = 50;

/**
 * The comma-separated elements of the part of the header that is read, in lower case, none of them cut in the middle.
 */
export function elementsOf(header: string): string[] {
  const elements = header.slice(0, MAX_LENGTH).toLowerCase().split(',');
  return elements.slice(0, header.length > MAX_LENGTH ? Math.min(MAX_ELEMENTS, elements.length - 1) : MAX_ELEMENTS);
}
