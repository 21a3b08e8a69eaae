import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { IDENTIFIER } from './identifier.column';

@Entity('workspaces')
@Check('workspaces_id_not_empty', `id <> ''`)
export class Workspace {
  @PrimaryColumn({ ...IDENTIFIER, primaryKeyConstraintName: 'workspaces_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
