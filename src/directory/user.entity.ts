import { Check, Column, Entity, Index, Unique, VirtualColumn } from 'typeorm';
import { USER_STATUSES, USER_TYPES, type UserStatus, type UserType } from '../contract/directory';
import { accountHasEnded } from './current-status';
import { Key, RecordColumns, TIMESTAMP } from './record.columns';

/**
 * A person or account of the directory. TypeORM cannot describe the unique index on `fold_case(email)`, indexes that
 * hold the key as well, nor the tables beside it that triggers keep: see the migrations. No index may name the
 * status or `updated_at`, so that status changes stay HOT.
 */
@Entity('users')
@Unique('users_id_unique', ['id'])
@Check('users_id_not_empty', `id <> ''`)
@Index('users_email_unique', { synchronize: false })
@Index('users_administrators', ['key'], { where: `type = 'administrator'` })
@Index('users_type', { synchronize: false })
@Index('users_search', { synchronize: false })
@Index('users_created_at', { synchronize: false })
@Index('users_active_until', { synchronize: false })
@Index('users_end_refused_at', { synchronize: false })
@Index('users_odd_ids', { synchronize: false })
@Index('users_name_order', { synchronize: false })
export class User extends RecordColumns {
  @Key('users')
  key!: string;

  /**
   * Since when the user has the id: since the creation, or the last renaming. It grows with each, so it tells earlier
   * users with the id apart.
   */
  @Column({ name: 'id_since', ...TIMESTAMP, default: () => 'now()' })
  idSince!: Date;

  /** When the user is deactivated, and since when this is refused. `has_ended` judges both. */
  @Column({ name: 'active_until', ...TIMESTAMP, nullable: true })
  activeUntil!: Date | null;

  @Column({ name: 'end_refused_at', ...TIMESTAMP, nullable: true, select: false })
  endRefusedAt?: Date | null;

  /** Whether the end has passed, even if nothing has carried it out yet. The user is then read as inactive. */
  @VirtualColumn({ query: (user) => `SELECT ${accountHasEnded(user)}` })
  hasEnded!: boolean;

  /** Unique if present, regardless of case. */
  @Column({ type: 'text', collation: 'C', nullable: true })
  email!: string | null;

  @Column({ name: 'display_name', type: 'text', collation: 'C', nullable: true })
  displayName!: string | null;

  /** Derived from the user's permissions. Only UserTypeService writes it. */
  @Column({ type: 'enum', enum: USER_TYPES, enumName: 'user_type', default: 'guest' })
  type!: UserType;

  @Column({ type: 'enum', enum: USER_STATUSES, enumName: 'user_status', default: 'active' })
  status!: UserStatus;
}
