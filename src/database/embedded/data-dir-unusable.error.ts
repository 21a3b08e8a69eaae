import { ExpectedError } from '../../contract/expected-error';

/** The data folder cannot be written, or its content cannot be opened as a database. */
export class DataDirUnusableError extends ExpectedError {
  /** @param remedy what to do, other than choosing another folder */
  constructor(dataDir: string, why: string, remedy: string, options?: ErrorOptions) {
    super(
      `The data folder ${dataDir} cannot be used: ${why}. ` +
        `${remedy}, or choose another folder with DATA_DIR, or a server with DATABASE_URL.`,
      options,
    );
  }
}
