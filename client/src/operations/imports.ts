import type { PostOptions } from '../client-options.ts';
import type { Service } from '../calls/service.ts';
import type { ImportAnswerDto, ImportFileData } from '../generated/types.gen.ts';

export interface ImportOptions extends PostOptions, NonNullable<ImportFileData['query']> {
  /** `csv` for users from a spreadsheet; by default NDJSON, one record on each line. */
  format?: 'ndjson' | 'csv';
}

/** What an import did or, by a dry run, would do. */
export type ImportAnswer = ImportAnswerDto;

const TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' };

/** Imports of files. */
export class Imports {
  constructor(private readonly service: Service) {}

  /**
   * Creates and updates the records of a file: all of them or, after an error, none. Bytes are sent as they are, so the
   * service finds out if they are not UTF-8. For a large file give more time: 20,000 users take seconds.
   *
   * @example await client.imports.create('id,email\nflo,flo@example.com\n', { format: 'csv', dryRun: true });
   * @throws UserAdministrationError such as `import.invalid`, with the bad `lines`
   */
  create(file: string | Uint8Array<ArrayBuffer>, options: ImportOptions = {}): Promise<ImportAnswer> {
    const {
      format = 'ndjson',
      dryRun,
      deactivateMissing,
      atMost,
      keep,
      includeAdministrators,
      name,
      reason,
      ...others
    } = options;
    const query = { dryRun, deactivateMissing, atMost, keep, includeAdministrators, name, reason };
    const sent = { content: file, type: TYPES[format] };
    return this.service.ask(
      { method: 'POST', path: '/api/imports', query, file: sent, changesNothing: dryRun === true },
      others,
    );
  }
}
