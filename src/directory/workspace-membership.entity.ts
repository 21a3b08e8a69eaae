import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from './user.entity';
import { Workspace } from './workspace.entity';
import { IDENTIFIER } from './identifier.column';

@Entity('workspace_memberships')
@Index('workspace_memberships_workspace', ['workspaceId'])
export class WorkspaceMembership {
  @PrimaryColumn({
    name: 'user_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'workspace_memberships_pkey',
  })
  userId!: string;

  @PrimaryColumn({
    name: 'workspace_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'workspace_memberships_pkey',
  })
  workspaceId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'workspace_memberships_user_fkey' })
  user?: User;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'workspace_memberships_workspace_fkey' })
  workspace?: Workspace;
}
