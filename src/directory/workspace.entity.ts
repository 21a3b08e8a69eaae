import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { Key, RecordColumns } from './record.columns';

@Entity('workspaces')
@Unique('workspaces_id_unique', ['id'])
@Check('workspaces_id_not_empty', `id <> ''`)
@Index('workspaces_search', { synchronize: false })
export class Workspace extends RecordColumns {
  @Key('workspaces')
  key!: string;

  @Column({ type: 'text', collation: 'C' })
  name!: string;
}
