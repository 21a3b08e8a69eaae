/** The limits of files that come in. */
export const FILE_LIMITS = {
  /** Records of a file that a request brings, and changes that a dry run of it lists. */
  records: 50_000,
  changes: 1_000,
  /** Warnings of an import. */
  warnings: 100,
  /** Cells of a row, and bytes of a row or a line. */
  cells: 100,
  lineBytes: 1024 * 1024,
} as const;
