import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests that were sent with an `Idempotency-Key` and have succeeded. A row is written in the transaction of the change
 * that it stands for, so that the one is there exactly if the other is.
 */
export class CreateIdempotencyKeys1790000004000 implements MigrationInterface {
  name = 'CreateIdempotencyKeys1790000004000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The id is a hash of the caller and the key, and the answer is encrypted: neither tells anything to who reads the table.
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        id bytea NOT NULL,
        fingerprint bytea NOT NULL,
        language text NOT NULL,
        answer bytea,
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE idempotency_keys`);
  }
}
