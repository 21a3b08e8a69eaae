import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import { Workspace } from './workspace.entity';
import { IDENTIFIER } from './identifier.column';

/** A group lives in exactly one workspace. The pair (id, workspace) is unique so that memberships can refer to both at once. */
@Entity('groups')
@Check('groups_id_not_empty', `id <> ''`)
@Unique('groups_id_workspace_unique', ['id', 'workspaceId'])
@Index('groups_workspace', ['workspaceId'])
export class Group {
  @PrimaryColumn({ ...IDENTIFIER, primaryKeyConstraintName: 'groups_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'workspace_id', ...IDENTIFIER })
  workspaceId!: string;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'groups_workspace_fkey' })
  workspace?: Workspace;
}
