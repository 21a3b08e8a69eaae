/** The data folder cannot be written, or what is in it cannot be opened as a database. */
export class DataDirUnusableError extends Error {
  /** @param remedy what to do, besides going elsewhere */
  constructor(dataDir: string, why: string, remedy: string, options?: ErrorOptions) {
    super(
      `The data folder ${dataDir} cannot be used: ${why}. ` +
        `${remedy}, or choose another folder with DATA_DIR, or a server with DATABASE_URL.`,
      options,
    );
    this.name = 'DataDirUnusableError';
  }
}
