/** A data folder that cannot be used. */
export class DataDirError extends Error {
  /**
   * @param problem what is the case, as a sentence
   * @param remedy what to do, other than choosing another folder, as the beginning of a sentence
   */
  constructor(
    readonly dataDir: string,
    readonly problem: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${problem} ${remedy}, or choose another folder.`, options);
  }
}

/** Another process, or this one, has the database in this folder open. Two of them would destroy it. */
export class DataDirInUseError extends DataDirError {
  constructor(
    dataDir: string,
    readonly pid: number,
  ) {
    super(dataDir, `The data folder ${dataDir} is in use by process ${pid}.`, 'Stop that process first');
  }
}

/** The folder cannot be written, or its content cannot be opened as a database. */
export class DataDirUnusableError extends DataDirError {
  constructor(dataDir: string, why: string, remedy: string, options?: ErrorOptions) {
    super(dataDir, `The data folder ${dataDir} cannot be used: ${why}.`, remedy, options);
  }
}
