import { type FileRecord, readRecord, RecordProblem } from './directory-record.rules';
import { ImportError } from './import-error';
import { notNdjson } from './other-formats';
import { areEmpty, eachOf, type Line, type Lines } from './read-lines';

/**
 * The records of NDJSON: one on each line that is not blank.
 *
 * @throws ImportError for a file of another form
 */
export async function* readNdjson(lines: Lines): AsyncGenerator<FileRecord, void, undefined> {
  let line = 0;
  let isFirst = true;
  for await (const given of lines) {
    if (areEmpty(given) && given.text.trim() === '') {
      line += given.count;
      continue;
    }
    for (const text of areEmpty(given) ? eachOf(given) : [given]) {
      line += 1;
      if (isBlank(text)) continue;
      const problem = isFirst ? notNdjson(typeof text === 'string' ? text : text.notUtf8) : undefined;
      if (problem !== undefined) throw new ImportError([{ line, problem }]);
      isFirst = false;
      yield { line, read: () => readRecord(textOf(text)) };
    }
  }
}

function isBlank(line: Line): boolean {
  return typeof line === 'string' && line.trim() === '';
}

/** @throws RecordProblem for a line that is not UTF-8 */
function textOf(line: Line): string {
  if (typeof line !== 'string') throw new RecordProblem('not valid UTF-8');
  return line;
}
