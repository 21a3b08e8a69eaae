import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Successful requests with an `Idempotency-Key`, in their order (`number`). A row is written in the transaction of its
 * change, so that both are committed or neither is.
 */
export class CreateIdempotencyKeys1790000004000 implements MigrationInterface {
  name = 'CreateIdempotencyKeys1790000004000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The id is a hash of the caller and the key, and the answer is encrypted. Access to the table reveals neither.
    await queryRunner.query(`
      CREATE TABLE idempotency_keys (
        number bigint GENERATED ALWAYS AS IDENTITY,
        id bytea NOT NULL,
        fingerprint bytea NOT NULL,
        language text COLLATE "C" NOT NULL,
        answer bytea,
        subject text COLLATE "C",
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id)
      )`);
    // The user of whom the answer has personal facts: a record, or a status token with its reason.
    await queryRunner.query(
      `CREATE INDEX idempotency_keys_subject ON idempotency_keys (subject) WHERE subject IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE idempotency_keys`);
  }
}
