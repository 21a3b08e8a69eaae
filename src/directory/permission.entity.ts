import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { USER_TYPES, type UserType } from '../contract/directory';
import { Key, RecordColumns } from './record.columns';

/** A right that users hold directly, through a workspace or through a group. It grants a user type. */
@Entity('permissions')
@Unique('permissions_id_unique', ['id'])
@Check('permissions_id_not_empty', `id <> ''`)
@Index('permissions_search', { synchronize: false })
@Index('permissions_grants', ['grants', 'id'])
export class Permission extends RecordColumns {
  @Key('permissions')
  key!: string;

  @Column({ type: 'text', collation: 'C', nullable: true })
  description!: string | null;

  @Column({ type: 'enum', enum: USER_TYPES, enumName: 'user_type' })
  grants!: UserType;
}
