import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Webhooks, how far the journal was read for each, and their deliveries, which `expand_deliveries` makes of what it
 * reads.
 */
export class CreateWebhooks1790000003000 implements MigrationInterface {
  name = 'CreateWebhooks1790000003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE webhook_subscriptions (
        id text COLLATE "C" NOT NULL,
        url text COLLATE "C" NOT NULL,
        events text[] COLLATE "C" NOT NULL,
        enabled boolean NOT NULL DEFAULT true,
        disabled_reason text COLLATE "C",
        content_type text COLLATE "C" NOT NULL DEFAULT 'application/cloudevents+json',
        secret text COLLATE "C" NOT NULL,
        previous_secret text COLLATE "C",
        previous_secret_expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (id),
        CONSTRAINT webhook_subscriptions_disabled_reason CHECK (enabled = (disabled_reason IS NULL))
      )`);

    // Apart from the webhooks, because it is written for each slice of the journal. Of a disabled webhook it has no
    // meaning.
    await queryRunner.query(`
      CREATE TABLE webhook_positions (
        subscription_id text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        CONSTRAINT webhook_positions_pkey PRIMARY KEY (subscription_id),
        CONSTRAINT webhook_positions_subscription_fkey FOREIGN KEY (subscription_id) REFERENCES webhook_subscriptions
          ON DELETE CASCADE
      ) WITH (fillfactor = 10)`);

    // The primary key permits one delivery for each entry and webhook. `change_position` finds the change of the entry
    // in the journal. There is no foreign key to webhooks: a job deletes the deliveries of removed ones, however many
    // there are. A delivery whose `next_attempt_at` is -infinity is due whatever the clock says: it never waits for a
    // clock that was set back.
    await queryRunner.query(`
      CREATE TABLE webhook_deliveries (
        subscription_id text COLLATE "C" NOT NULL,
        entry_id bigint NOT NULL,
        change_position bigint NOT NULL,
        subject text COLLATE "C" NOT NULL,
        state text COLLATE "C" NOT NULL DEFAULT 'pending',
        replay boolean NOT NULL DEFAULT false,
        attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz NOT NULL DEFAULT now(),
        asked_at timestamptz NOT NULL DEFAULT now(),
        next_attempt_at timestamptz NOT NULL DEFAULT '-infinity',
        lease uuid,
        last_attempt_at timestamptz,
        last_status integer,
        last_error text COLLATE "C",
        finished_at timestamptz,
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (subscription_id, entry_id),
        CONSTRAINT webhook_deliveries_state CHECK (state IN ('pending', 'waiting', 'delivered', 'failed')),
        CONSTRAINT webhook_deliveries_finished_at
          CHECK ((state IN ('delivered', 'failed')) = (finished_at IS NOT NULL)),
        CONSTRAINT webhook_deliveries_lease CHECK (lease IS NULL OR state = 'pending')
      )`);
    await queryRunner.query(`
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (subscription_id, next_attempt_at, entry_id)
      WHERE state = 'pending'`);
    await queryRunner.query(`
      CREATE INDEX webhook_deliveries_order ON webhook_deliveries (subscription_id, subject, entry_id)
      WHERE state IN ('pending', 'waiting') AND NOT replay`);
    await queryRunner.query(`
      CREATE INDEX webhook_deliveries_backlog ON webhook_deliveries (subscription_id, asked_at)
      WHERE state IN ('pending', 'waiting')`);
    await queryRunner.query(`
      CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (subscription_id, entry_id) WHERE state = 'failed'`);
    await queryRunner.query(`
      CREATE INDEX webhook_deliveries_finished_at ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE webhook_deliveries`);
    await queryRunner.query(`DROP TABLE webhook_positions`);
    await queryRunner.query(`DROP TABLE webhook_subscriptions`);
  }
}
