import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from './user.entity';
import { Permission } from './permission.entity';
import { IDENTIFIER } from './identifier.column';

@Entity('user_permissions')
@Index('user_permissions_permission', ['permissionId'])
export class UserPermission {
  @PrimaryColumn({
    name: 'user_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'user_permissions_pkey',
  })
  userId!: string;

  @PrimaryColumn({
    name: 'permission_id',
    ...IDENTIFIER,
    primaryKeyConstraintName: 'user_permissions_pkey',
  })
  permissionId!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'user_permissions_user_fkey' })
  user?: User;

  @ManyToOne(() => Permission, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'permission_id', foreignKeyConstraintName: 'user_permissions_permission_fkey' })
  permission?: Permission;
}
