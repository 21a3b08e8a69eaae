import { Check, Column, type ColumnOptions, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { WebhookContentType, WebhookDisabledReason } from './webhook-types';

const TIMESTAMP: ColumnOptions = { type: 'timestamptz', precision: 3 };

/** A webhook: its URL, its events and its secrets. Queries load secrets only if they select them. */
@Entity('webhook_subscriptions')
@Check('webhook_subscriptions_disabled_reason', 'enabled = (disabled_reason IS NULL)')
export class WebhookSubscription {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'webhook_subscriptions_pkey' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  url!: string;

  @Column({ type: 'text', collation: 'C', array: true })
  events!: string[];

  @Column({ type: 'boolean', default: true })
  enabled!: boolean;

  /** Null while it is enabled. */
  @Column({ name: 'disabled_reason', type: 'text', collation: 'C', nullable: true })
  disabledReason!: WebhookDisabledReason | null;

  @Column({ name: 'content_type', type: 'text', collation: 'C', default: 'application/cloudevents+json' })
  contentType!: WebhookContentType;

  @Column({ type: 'text', collation: 'C', select: false })
  secret!: string;

  /** Signs in addition to `secret`, until it expires. */
  @Column({ name: 'previous_secret', type: 'text', collation: 'C', nullable: true, select: false })
  previousSecret!: string | null;

  @Column({ ...TIMESTAMP, name: 'previous_secret_expires_at', nullable: true, select: false })
  previousSecretExpiresAt!: Date | null;

  @CreateDateColumn({ name: 'created_at', ...TIMESTAMP })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', ...TIMESTAMP })
  updatedAt!: Date;
}
