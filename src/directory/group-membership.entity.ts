import { Column, Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Group } from './group.entity';
import { OriginColumns, PrimaryReference, TIMESTAMP } from './record.columns';
import { WorkspaceMembership } from './workspace-membership.entity';

const IN_WORKSPACE = 'group_memberships_workspace_membership_fkey';
const IN_GROUP = 'group_memberships_group_fkey';

/**
 * A user's membership of a group. Both foreign keys share `workspace_key`, so the database refuses a group membership
 * without its workspace membership, and one in a workspace that is not the group's; leaving a workspace leaves its
 * groups.
 */
@Entity('group_memberships')
@Index('group_memberships_group', ['groupKey', 'userKey'])
@Index('group_memberships_ends_at', { synchronize: false })
@Index('group_memberships_user_ends_at', { synchronize: false })
@Index('group_memberships_group_ends_at', { synchronize: false })
@Index('group_memberships_end_refused_at', { synchronize: false })
export class GroupMembership extends OriginColumns {
  @PrimaryReference('user_key', 'group_memberships')
  userKey!: string;

  @PrimaryReference('workspace_key', 'group_memberships')
  workspaceKey!: string;

  @PrimaryReference('group_key', 'group_memberships')
  groupKey!: string;

  /** Never later than the end of the workspace's membership. */
  @Column({ name: 'ends_at', ...TIMESTAMP, nullable: true })
  endsAt!: Date | null;

  @Column({ name: 'end_refused_at', ...TIMESTAMP, nullable: true })
  endRefusedAt!: Date | null;

  @ManyToOne(() => WorkspaceMembership, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'user_key', referencedColumnName: 'userKey', foreignKeyConstraintName: IN_WORKSPACE },
    { name: 'workspace_key', referencedColumnName: 'workspaceKey', foreignKeyConstraintName: IN_WORKSPACE },
  ])
  workspaceMembership?: WorkspaceMembership;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'group_key', referencedColumnName: 'key', foreignKeyConstraintName: IN_GROUP },
    { name: 'workspace_key', referencedColumnName: 'workspaceKey', foreignKeyConstraintName: IN_GROUP },
  ])
  group?: Group;
}
