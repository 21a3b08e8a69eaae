import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { PrimaryReference } from './record.columns';
import { User } from './user.entity';
import { Workspace } from './workspace.entity';

@Entity('workspace_memberships')
@Index('workspace_memberships_workspace', ['workspaceKey', 'userKey'])
export class WorkspaceMembership {
  @PrimaryReference('user_key', 'workspace_memberships')
  userKey!: string;

  @PrimaryReference('workspace_key', 'workspace_memberships')
  workspaceKey!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_key', foreignKeyConstraintName: 'workspace_memberships_user_fkey' })
  user?: User;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_key', foreignKeyConstraintName: 'workspace_memberships_workspace_fkey' })
  workspace?: Workspace;
}
