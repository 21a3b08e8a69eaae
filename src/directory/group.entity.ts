import { Check, Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { Key, RecordColumns, Reference } from './record.columns';
import { Workspace } from './workspace.entity';

/**
 * A group lives in exactly one workspace. The pair (key, workspace) is unique so that memberships can refer to both at
 * once.
 */
@Entity('groups')
@Unique('groups_id_unique', ['id'])
@Unique('groups_key_workspace_unique', ['key', 'workspaceKey'])
@Check('groups_id_not_empty', `id <> ''`)
@Index('groups_workspace', ['workspaceKey', 'id'])
@Index('groups_search', { synchronize: false })
export class Group extends RecordColumns {
  @Key('groups')
  key!: string;

  @Column({ type: 'text', collation: 'C' })
  name!: string;

  @Reference('workspace_key')
  workspaceKey!: string;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'workspace_key', foreignKeyConstraintName: 'groups_workspace_fkey' })
  workspace?: Workspace;
}
