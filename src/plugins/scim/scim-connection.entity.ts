import { Check, Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';
import { Key, Reference, TIMESTAMP } from '../../directory/record.columns';
import { Workspace } from '../../directory/workspace.entity';

/** Where the id of a new user comes from. */
export const ID_SOURCES = ['externalId', 'userName'] as const;
export type IdSource = (typeof ID_SOURCES)[number];

/**
 * The connection of an identity provider. It stores only hashes of its tokens, and queries load them only if they
 * select them.
 */
@Entity('scim_connections')
@Unique('scim_connections_id_unique', ['id'])
@Check('scim_connections_id_from', `id_from IN ('externalId', 'userName')`)
@Index('scim_connections_token', ['tokenHash'])
@Index('scim_connections_previous_token', ['previousTokenHash'])
@Index('scim_connections_workspace', ['workspaceKey'])
export class ScimConnection {
  @Key('scim_connections')
  key!: string;

  @Column({ type: 'text', collation: 'C' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  name!: string;

  /** New groups live in this workspace, and the connection ends with it. */
  @Reference('workspace_key')
  workspaceKey!: string;

  @ManyToOne(() => Workspace, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'workspace_key', foreignKeyConstraintName: 'scim_connections_workspace_fkey' })
  workspace?: Workspace;

  /** Further workspaces whose groups the connection sees and fills. Keys of deleted workspaces are ignored. */
  @Column({ name: 'more_workspace_keys', type: 'bigint', array: true, default: () => `'{}'` })
  moreWorkspaceKeys!: string[];

  @Column({ name: 'id_from', type: 'text', collation: 'C', default: 'externalId' })
  idFrom!: IdSource;

  @Column({ name: 'may_grant_administrator', type: 'boolean', default: false })
  mayGrantAdministrator!: boolean;

  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash!: Buffer;

  /** The hash of the previous token, which is valid until it expires. */
  @Column({ name: 'previous_token_hash', type: 'bytea', nullable: true, select: false })
  previousTokenHash!: Buffer | null;

  @Column({ ...TIMESTAMP, name: 'previous_token_expires_at', nullable: true, select: false })
  previousTokenExpiresAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', ...TIMESTAMP })
  createdAt!: Date;

  /** The time of its last use, to the minute. */
  @Column({ ...TIMESTAMP, name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;
}
