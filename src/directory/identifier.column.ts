/** The column of an identifier: exact comparison by bytes (collation C), as the contract wants, whatever the database's locale. */
export const IDENTIFIER = { type: 'varchar', length: 255, collation: 'C' } as const;
