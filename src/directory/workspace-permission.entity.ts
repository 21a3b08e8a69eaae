import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Workspace } from './workspace.entity';
import { OriginColumns, PrimaryReference } from './record.columns';
import { Permission } from './permission.entity';

@Entity('workspace_permissions')
@Index('workspace_permissions_permission', ['permissionKey', 'workspaceKey'])
export class WorkspacePermission extends OriginColumns {
  @PrimaryReference('workspace_key', 'workspace_permissions')
  workspaceKey!: string;

  @PrimaryReference('permission_key', 'workspace_permissions')
  permissionKey!: string;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_key', foreignKeyConstraintName: 'workspace_permissions_workspace_fkey' })
  workspace?: Workspace;

  @ManyToOne(() => Permission, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'permission_key', foreignKeyConstraintName: 'workspace_permissions_permission_fkey' })
  permission?: Permission;
}
