const [QUOTE, BACKSLASH, COLON, LIST, RECORD] = [0x22, 0x5c, 0x3a, 0x5b, 0x7b];
const [LIST_END, RECORD_END] = [0x5d, 0x7d];

/**
 * Whether a JSON text has more than `limit` arrays, objects and fields together. Each of them takes the parser far
 * longer than an id of the same size, and the process cannot do anything else meanwhile.
 *
 * A text that is not JSON is judged up to its first error at least, which is as far as the parser reads.
 */
export function hasMoreStructureThan(limit: number, json: Uint8Array): boolean {
  // Each takes at least one byte.
  if (json.length <= limit) return false;
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === LIST || byte === RECORD || byte === COLON) {
      count++;
      if (count > limit) return true;
    }
  }
  return false;
}

/**
 * The names of the fields of a JSON object in the order of its text, which `JSON.parse` loses: an object of JavaScript
 * has names that are numbers first.
 *
 * @param json the text of an object, without errors
 */
export function* namesInOrder(json: Uint8Array): Generator<string> {
  let depth = 0;
  let [begin, end] = [0, 0];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      begin = at;
      for (at++; json[at] !== QUOTE; at++) if (json[at] === BACKSLASH) at++;
      end = at + 1;
    } else if (byte === LIST || byte === RECORD) depth++;
    else if (byte === LIST_END || byte === RECORD_END) depth--;
    else if (byte === COLON && depth === 1)
      yield JSON.parse(Buffer.from(json.subarray(begin, end)).toString()) as string;
  }
}
