import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The used status tokens, in the order of their use (`number`). The primary key ensures that a token works once, even
 * if several callers send it at the same time.
 */
export class CreateSpentStatusTokens1790000002000 implements MigrationInterface {
  name = 'CreateSpentStatusTokens1790000002000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE spent_status_tokens (
        number bigint GENERATED ALWAYS AS IDENTITY,
        id text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT spent_status_tokens_pkey PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE INDEX spent_status_tokens_expires_at ON spent_status_tokens (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE spent_status_tokens`);
  }
}
