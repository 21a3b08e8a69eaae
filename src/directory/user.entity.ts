import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../contract/directory';
import { IDENTIFIER } from './identifier.column';

/** A person or account that is administered here. The unique index on `lower(email)` is in the migration: TypeORM has no words for it. */
@Entity('users')
@Check('users_id_not_empty', `id <> ''`)
@Index('users_email_unique', { synchronize: false })
@Index('users_active_administrators', { synchronize: false })
export class User {
  @PrimaryColumn({ ...IDENTIFIER, primaryKeyConstraintName: 'users_pkey' })
  id!: string;

  /** Unique when present, whatever its case. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ name: 'display_name', type: 'text', nullable: true })
  displayName!: string | null;

  /** Derived from the permissions held. Only UserTypeService writes it. */
  @Column({ type: 'enum', enum: USER_TYPES, enumName: 'user_type', default: 'guest' })
  type!: UserType;

  @Column({ type: 'enum', enum: USER_STATUSES, enumName: 'user_status', default: 'active' })
  status!: UserStatus;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
