import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The subjects of tokens that have called as services: a row for each, which stays. */
export class CreateCallingServices1790000002500 implements MigrationInterface {
  name = 'CreateCallingServices1790000002500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE calling_services (
        subject text COLLATE "C" NOT NULL,
        CONSTRAINT calling_services_pkey PRIMARY KEY (subject)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE calling_services`);
  }
}
