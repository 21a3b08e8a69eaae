import { Column, type ColumnOptions, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** The column of an identifier: exact comparison by bytes (collation C), as the contract wants, whatever the database's locale. */
export const IDENTIFIER = { type: 'varchar', length: 255, collation: 'C' } as const;

/** The numeric key of a record, which the database generates. It never leaves the service. JavaScript gets it as text. */
export function Key(table: string): PropertyDecorator {
  return PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: `${table}_pkey`,
  });
}

/** The key of another record, as a part of this table's primary key. */
export function PrimaryReference(name: string, table: string): PropertyDecorator {
  return PrimaryColumn({ name, type: 'bigint', primaryKeyConstraintName: `${table}_pkey` });
}

/** The key of another record. */
export function Reference(name: string): PropertyDecorator {
  return Column({ name, type: 'bigint' });
}

/** A moment to the millisecond, which is what the service tells of it. */
export const MOMENT: ColumnOptions = { type: 'timestamptz', precision: 3 };
