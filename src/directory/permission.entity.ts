import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { USER_TYPES, type UserType } from '../contract/directory';
import { IDENTIFIER } from './identifier.column';

/** A right that users hold directly, through a workspace or through a group. Holding it earns the user type that it grants. */
@Entity('permissions')
@Check('permissions_id_not_empty', `id <> ''`)
export class Permission {
  @PrimaryColumn({ ...IDENTIFIER, primaryKeyConstraintName: 'permissions_pkey' })
  id!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'enum', enum: USER_TYPES, enumName: 'user_type' })
  grants!: UserType;
}
