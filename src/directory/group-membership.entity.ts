import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Group } from './group.entity';
import { WorkspaceMembership } from './workspace-membership.entity';
import { IDENTIFIER } from './identifier.column';

/**
 * A user's place in a group. Both foreign keys share `workspace_id`, so the database refuses a group membership without
 * its workspace membership, and one in a workspace that is not the group's; leaving a workspace leaves its groups.
 */
@Entity('group_memberships')
@Index('group_memberships_group', ['groupId'])
@Index('group_memberships_workspace_membership', ['userId', 'workspaceId'])
export class GroupMembership {
  @PrimaryColumn({
    name: 'user_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'group_memberships_pkey',
  })
  userId!: string;

  @PrimaryColumn({
    name: 'group_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'group_memberships_pkey',
  })
  groupId!: string;

  @Column({ name: 'workspace_id', ...IDENTIFIER })
  workspaceId!: string;

  @ManyToOne(() => WorkspaceMembership, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'user_id',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'group_memberships_workspace_membership_fkey',
    },
    {
      name: 'workspace_id',
      referencedColumnName: 'workspaceId',
      foreignKeyConstraintName: 'group_memberships_workspace_membership_fkey',
    },
  ])
  workspaceMembership?: WorkspaceMembership;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'group_id', referencedColumnName: 'id', foreignKeyConstraintName: 'group_memberships_group_fkey' },
    {
      name: 'workspace_id',
      referencedColumnName: 'workspaceId',
      foreignKeyConstraintName: 'group_memberships_group_fkey',
    },
  ])
  group?: Group;
}
