import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { OriginColumns, PrimaryReference, TIMESTAMP } from './record.columns';
import { User } from './user.entity';
import { Workspace } from './workspace.entity';

@Entity('workspace_memberships')
@Index('workspace_memberships_workspace', ['workspaceKey', 'userKey'])
@Index('workspace_memberships_ends_at', { synchronize: false })
@Index('workspace_memberships_user_ends_at', { synchronize: false })
@Index('workspace_memberships_workspace_ends_at', { synchronize: false })
@Index('workspace_memberships_end_refused_at', { synchronize: false })
export class WorkspaceMembership extends OriginColumns {
  @PrimaryReference('user_key', 'workspace_memberships')
  userKey!: string;

  @PrimaryReference('workspace_key', 'workspace_memberships')
  workspaceKey!: string;

  /** When it ends, and since when it could not. `has_ended` judges both. */
  @Column({ name: 'ends_at', ...TIMESTAMP, nullable: true })
  endsAt!: Date | null;

  @Column({ name: 'end_refused_at', ...TIMESTAMP, nullable: true })
  endRefusedAt!: Date | null;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_key', foreignKeyConstraintName: 'workspace_memberships_user_fkey' })
  user?: User;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_key', foreignKeyConstraintName: 'workspace_memberships_workspace_fkey' })
  workspace?: Workspace;
}
