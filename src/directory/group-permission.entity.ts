import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Group } from './group.entity';
import { Permission } from './permission.entity';
import { IDENTIFIER } from './identifier.column';

@Entity('group_permissions')
@Index('group_permissions_permission', ['permissionId'])
export class GroupPermission {
  @PrimaryColumn({
    name: 'group_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'group_permissions_pkey',
  })
  groupId!: string;

  @PrimaryColumn({
    name: 'permission_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'group_permissions_pkey',
  })
  permissionId!: string;

  @ManyToOne(() => Group, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'group_id', foreignKeyConstraintName: 'group_permissions_group_fkey' })
  group?: Group;

  @ManyToOne(() => Permission, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'permission_id', foreignKeyConstraintName: 'group_permissions_permission_fkey' })
  permission?: Permission;
}
