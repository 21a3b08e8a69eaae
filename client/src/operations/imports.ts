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
   * Creates and updates the records of a file: all of them or, after an error, none.
   *
   * @example await client.imports.create('id,email\nflo,flo@example.com\n', { format: 'csv', dryRun: true });
   * @throws UserAdministrationError such as `import.invalid`, with the bad `lines`
   */
  create(file: string, options: ImportOptions = {}): Promise<ImportAnswer> {
    const { format = 'ndjson', dryRun, deactivateMissing, atMost, keep, includeAdministrators, ...others } = options;
    const query = { dryRun, deactivateMissing, atMost, keep, includeAdministrators };
    const sent = { text: file, type: TYPES[format] };
    return this.service.ask(
      { method: 'POST', path: '/api/imports', query, file: sent, changesNothing: dryRun === true },
      others,
    );
  }
}
