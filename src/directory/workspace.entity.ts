import { Check, Column, CreateDateColumn, Entity, Index, Unique, UpdateDateColumn } from 'typeorm';
import { IDENTIFIER, Key, MOMENT } from './key.column';

@Entity('workspaces')
@Unique('workspaces_id_unique', ['id'])
@Check('workspaces_id_not_empty', `id <> ''`)
@Index('workspaces_search', { synchronize: false })
@Index('workspaces_created_at', ['createdAt', 'id'])
export class Workspace {
  @Key('workspaces')
  key!: string;

  @Column(IDENTIFIER)
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @CreateDateColumn({ name: 'created_at', ...MOMENT })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', ...MOMENT })
  updatedAt!: Date;
}
