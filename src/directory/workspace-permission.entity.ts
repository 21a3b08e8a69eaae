import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from './workspace.entity';
import { Permission } from './permission.entity';
import { IDENTIFIER } from './identifier.column';

@Entity('workspace_permissions')
@Index('workspace_permissions_permission', ['permissionId'])
export class WorkspacePermission {
  @PrimaryColumn({
    name: 'workspace_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'workspace_permissions_pkey',
  })
  workspaceId!: string;

  @PrimaryColumn({
    name: 'permission_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'workspace_permissions_pkey',
  })
  permissionId!: string;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_id', foreignKeyConstraintName: 'workspace_permissions_workspace_fkey' })
  workspace?: Workspace;

  @ManyToOne(() => Permission, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'permission_id', foreignKeyConstraintName: 'workspace_permissions_permission_fkey' })
  permission?: Permission;
}
