import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { Group } from './group.entity';
import { OriginColumns, PrimaryReference } from './record.columns';
import { Permission } from './permission.entity';

@Entity('group_permissions')
@Index('group_permissions_permission', ['permissionKey', 'groupKey'])
export class GroupPermission extends OriginColumns {
  @PrimaryReference('group_key', 'group_permissions')
  groupKey!: string;

  @PrimaryReference('permission_key', 'group_permissions')
  permissionKey!: string;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_key', foreignKeyConstraintName: 'group_permissions_group_fkey' })
  group?: Group;

  @ManyToOne(() => Permission, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'permission_key', foreignKeyConstraintName: 'group_permissions_permission_fkey' })
  permission?: Permission;
}
