import { Entity, Index, JoinColumn, ManyToOne } from 'typeorm';
import { User } from './user.entity';
import { OriginColumns, PrimaryReference } from './record.columns';
import { Permission } from './permission.entity';

@Entity('user_permissions')
@Index('user_permissions_permission', ['permissionKey', 'userKey'])
export class UserPermission extends OriginColumns {
  @PrimaryReference('user_key', 'user_permissions')
  userKey!: string;

  @PrimaryReference('permission_key', 'user_permissions')
  permissionKey!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_key', foreignKeyConstraintName: 'user_permissions_user_fkey' })
  user?: User;

  @ManyToOne(() => Permission, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'permission_key', foreignKeyConstraintName: 'user_permissions_permission_fkey' })
  permission?: Permission;
}
